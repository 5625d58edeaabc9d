import { DEFAULT_PARSE_OPTIONS, type ParseOptions } from '../../../src/formats/format.ts'
import { arrayFromV2 } from '../../../src/formats/zarr-documents/v2-array.ts'
import { arrayFromV3 } from '../../../src/formats/zarr-documents/v3-array.ts'
import type { DocumentContext, ZarrArray } from '../../../src/formats/zarr-documents/zarr-array.ts'
import { isJsonObject, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'

export interface ReadArray {
  readonly array: ZarrArray
  /** Codes of the diagnostics. */
  readonly warnings: readonly string[]
}

/** A v2 array from the text of its documents, or from members that replace those of a plain one. */
export function readV2(
  zarray: string | object,
  zattrs: string | object = {},
  options: Partial<ParseOptions> = {},
): ReadArray {
  const plain = {
    zarr_format: 2,
    shape: [4, 5],
    chunks: [2, 3],
    dtype: '<f4',
    compressor: null,
    fill_value: 0,
    order: 'C',
    filters: null,
  }
  const document = typeof zarray === 'string' ? zarray : JSON.stringify({ ...plain, ...zarray })
  return read(options, (context) =>
    arrayFromV2(
      { zarray: parsed(document), zattrs: parsed(typeof zattrs === 'string' ? zattrs : JSON.stringify(zattrs)) },
      context,
    ),
  )
}

/** The same for a v3 document. */
export function readV3(document: string | object, options: Partial<ParseOptions> = {}): ReadArray {
  const plain = {
    zarr_format: 3,
    node_type: 'array',
    shape: [4, 5],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 'NaN',
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  }
  const text = typeof document === 'string' ? document : JSON.stringify({ ...plain, ...document })
  return read(options, (context) => arrayFromV3(parsed(text), context))
}

function read(options: Partial<ParseOptions>, work: (context: DocumentContext) => ZarrArray): ReadArray {
  const warnings: string[] = []
  const array = work({
    options: { ...DEFAULT_PARSE_OPTIONS, ...options },
    path: 'some/array',
    warn: ({ code }) => warnings.push(code),
  })
  return { array, warnings }
}

function parsed(text: string): JsonObject {
  const json = parseJson(text, { lenient: true })
  if (!isJsonObject(json)) throw new Error('an object is expected')
  return json
}
