import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonScript } from '../interop/python.ts'
import { startServer } from '../interop/server-process.ts'
import type { GeneratorReport } from './generator.ts'

/**
 * Runs a generator that is written in Python beside its reference reader: `SCRIPT SERVICE FOLDER SEED COUNT` prints a report. The service may
 * read the folder, in which the script writes its documents.
 */
export async function runPythonGenerator(script: string, seed: number, count: number): Promise<GeneratorReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'generator-')))
  const server = await startServer({ VZ_FILE_ROOT: folder, VZ_LOG_LEVEL: 'silent' })
  try {
    return await pythonScript(script)<GeneratorReport>(server.url, folder, String(seed), String(count))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
