import type { GeneratorReport } from './generator.ts'
import { runPythonGenerator } from './python-generator.ts'

export const name = 'stac'

/** Documents of STAC: values and positions as rasterio has them in the files, meaning as the specification has it. */
export function generate(seed: number, count: number): Promise<GeneratorReport> {
  return runPythonGenerator('generate_stac.py', seed, count)
}
