import type { GeneratorReport } from './generator.ts'
import { runPythonGenerator } from './python-generator.ts'

export const name = 'join'

/** Join documents and their files, as xarray concatenates the same files with the same choices, and as rasterio merges rasters. */
export function generate(seed: number, count: number): Promise<GeneratorReport> {
  return runPythonGenerator('generate_joins.py', seed, count)
}
