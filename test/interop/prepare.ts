// Makes what these tests need and nobody else has: `node test/interop/prepare.ts`. Each test makes what is missing, too; here it is
// made once and side by side, before several tests look for it. What can't be had is no error: the tests that need it skip.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { azurite } from './azurite.ts'
import { fakeGcs } from './fake-gcs.ts'
import { helm } from './helm.ts'
import { rustReader } from './rust-reader.ts'
import { gribPython, interopPython } from './venv.ts'
import { versitygw } from './versitygw.ts'

const TOOLS: Readonly<Record<string, () => unknown>> = {
  python: interopPython,
  grib: gribPython,
  rust: rustReader,
  // One after the other: they share what they are built of, and use all cores.
  go: () => [versitygw(), fakeGcs(), helm()],
  npm: azurite,
}

async function madeInAnotherProcess(name: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), name], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
}

const [name] = process.argv.slice(2)
if (name === undefined) await Promise.all(Object.keys(TOOLS).map(madeInAnotherProcess))
else TOOLS[name]?.()
