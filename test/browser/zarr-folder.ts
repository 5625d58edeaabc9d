import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An array of a Zarr v3 store that a test writes: one chunk, or none. */
export interface WrittenArray {
  readonly shape: readonly number[]
  readonly names: readonly string[]
  readonly type: 'uint8' | 'float32'
  readonly values?: Uint8Array | Float32Array
  readonly attributes?: object
}

/** Writes a consolidated store into a folder. */
export function writeZarrFolder(folder: string, arrays: Readonly<Record<string, WrittenArray>>): void {
  mkdirSync(folder, { recursive: true })
  const metadata: Record<string, unknown> = {}
  for (const [path, { shape, names, type, values, attributes = {} }] of Object.entries(arrays)) {
    metadata[path] = {
      zarr_format: 3,
      node_type: 'array',
      shape,
      data_type: type,
      chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
      chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
      fill_value: 0,
      codecs: [{ name: 'bytes', configuration: type === 'uint8' ? {} : { endian: 'little' } }],
      attributes,
      dimension_names: names,
    }
    if (values === undefined) continue
    const chunk = join(folder, path, 'c', ...shape.map(() => '0'))
    mkdirSync(join(chunk, '..'), { recursive: true })
    writeFileSync(chunk, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }
  const consolidated = { kind: 'inline', must_understand: false, metadata }
  const root = { zarr_format: 3, node_type: 'group', attributes: {}, consolidated_metadata: consolidated }
  writeFileSync(join(folder, 'zarr.json'), JSON.stringify(root))
}
