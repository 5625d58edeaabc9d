import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Text that becomes markup, or runs, wherever it is not escaped. */
export const EVIL = `"'><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>{{7*7}}\${7*7}`

/** A Zarr v3 store in a folder, all of whose texts are hostile. */
export function writeHostileStore(folder: string): void {
  const name = `<img src=x onerror=window.pwned=1>`
  const array = {
    zarr_format: 3,
    node_type: 'array',
    shape: [3, 4],
    data_type: 'uint8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [3, 4] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: {} }],
    attributes: {
      long_name: EVIL,
      units: EVIL,
      [EVIL]: EVIL,
      flag_values: [0, 1],
      flag_meanings: 'a"><b>x</b> <i>y</i>',
      javascript: 'javascript:window.pwned=1',
    },
    dimension_names: [`<b>${'y'}`, '"x onload=window.pwned=1'],
  }
  const { flag_values: _values, flag_meanings: _meanings, ...attributes } = array.attributes
  const plain = { ...array, attributes }
  const metadata = { [name]: array, plain }
  mkdirSync(join(folder, name, 'c', '0'), { recursive: true })
  mkdirSync(join(folder, 'plain', 'c', '0'), { recursive: true })
  const root = { zarr_format: 3, node_type: 'group', attributes: { title: EVIL, [EVIL]: { [EVIL]: [EVIL] } } }
  const consolidated = { kind: 'inline', must_understand: false, metadata }
  writeFileSync(join(folder, 'zarr.json'), JSON.stringify({ ...root, consolidated_metadata: consolidated }))
  for (const [path, document] of Object.entries(metadata)) {
    writeFileSync(join(folder, path, 'zarr.json'), JSON.stringify(document))
    writeFileSync(
      join(folder, path, 'c', '0', '0'),
      Uint8Array.from({ length: 12 }, (_, at) => at % 2),
    )
  }
}
