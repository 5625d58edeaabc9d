import { readFileSync } from 'node:fs'
import { parseJson } from '../../../src/json/parse.ts'
import type { DataType } from '../../../src/model/data-type.ts'
import type { Encoding } from '../../../src/model/encoding.ts'

/** One block as GDAL or imagecodecs compressed it: what `make-tiff.py`, `make-imagecodecs.py` and `make-jpeg.py` in `test/codecs/vectors` write. */
export interface TiffVector {
  readonly id: string
  readonly codecs: Encoding
  readonly dataType: DataType
  readonly shape: readonly number[]
  readonly stored: Uint8Array<ArrayBuffer>
  /** Of what it decodes to. */
  readonly sha256: string
}

/** All blocks. */
export function tiffVectors(): readonly TiffVector[] {
  const lines = ['tiff', 'imagecodecs', 'jpeg'].flatMap((name) =>
    readFileSync(new URL(`../vectors/${name}.jsonl`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  return lines.map((line) => {
    const vector = parseJson(line) as unknown as Omit<TiffVector, 'stored'> & { readonly stored: string }
    return { ...vector, stored: new Uint8Array(Buffer.from(vector.stored, 'base64')) }
  })
}
