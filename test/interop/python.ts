import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { interopPython } from './venv.ts'

/** Runs a script of the folder `python`; what it says is JSON. */
export function pythonScript(
  name: string,
  environment: Readonly<Record<string, string>> = {},
  python: () => string = interopPython,
): <Said>(...words: readonly string[]) => Promise<Said> {
  const script = fileURLToPath(new URL(`python/${name}`, import.meta.url))
  return async (...words) => {
    // Not the synchronous form: an origin may live in this process.
    const { stdout, stderr } = await promisify(execFile)(python(), ['-W', 'ignore', script, ...words], {
      maxBuffer: 2 ** 26,
      env: { ...process.env, ...environment },
    })
    if (stderr !== '') console.log(stderr.slice(0, 2000))
    return stdout.trim() === '' ? undefined : JSON.parse(stdout)
  }
}

/** Runs a script that is told what to do in a file of JSON. */
export async function pythonJob<Said>(
  name: string,
  job: object,
  environment: Readonly<Record<string, string>> = {},
  python: () => string = interopPython,
): Promise<Said> {
  const folder = mkdtempSync(join(tmpdir(), 'interop-job-'))
  try {
    const path = join(folder, 'job.json')
    writeFileSync(path, JSON.stringify(job))
    return await pythonScript(name, environment, python)<Said>(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
