import type { Origin } from './origin.ts'

type Members = Readonly<Record<string, unknown>>

/** The document of a small v3 array; members may be replaced. */
export function v3Array(members: Members = {}): Members {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: [4],
    data_type: 'int16',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: {},
    dimension_names: ['x'],
    ...members,
  }
}

/** The document of a v3 group that carries those of all nodes below it. */
export function v3Group(nodes: Members): Members {
  const consolidated = { kind: 'inline', must_understand: false, metadata: nodes }
  return { zarr_format: 3, node_type: 'group', attributes: {}, consolidated_metadata: consolidated }
}

/** The document of a small v2 array; members may be replaced. */
export function v2Array(members: Members = {}): Members {
  const usual = { zarr_format: 2, shape: [4], chunks: [2], dtype: '<i2', compressor: null, fill_value: 0, order: 'C' }
  return { ...usual, filters: null, ...members }
}

/** Puts objects below a folder of an origin; what is no bytes is written as JSON. */
export function putStore(origin: Origin, folder: string, objects: Members): void {
  for (const [key, value] of Object.entries(objects)) {
    const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value))
    origin.put(`${folder}/${key}`, bytes)
  }
}
