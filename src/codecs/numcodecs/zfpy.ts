import { malformed, unsupported } from '../../errors.ts'
import { itemSize } from '../../model/data-type.ts'
import type { SerialCodec } from '../codec.ts'
import { packedLength } from '../elements.ts'
import { decodeZfp, parseZfpHeader, ZFP_HEADER_BYTES, type ZfpHeader } from '../kernels/zfp-stream.ts'

/** numcodecs' ZFPY: one zfp stream with a full header, which says how it was compressed; the configuration is for writers. */
export const numcodecsZfpy: SerialCodec = {
  kind: 'serial',
  name: 'numcodecs.zfpy',
  reach: 'native',
  prepare: (_configuration, layout) => {
    const { dataType } = layout
    const size = itemSize(dataType)
    const isFloat = dataType.kind === 'float'
    if ((size !== 4 && size !== 8) || !TYPES.includes(dataType.kind)) {
      const what = `numcodecs.zfpy of ${dataType.kind} values${size === undefined ? '' : ` of ${size} bytes`}`
      throw unsupported(what, `${what} is not decoded: zfp has integers and floats of 4 and 8 bytes`)
    }
    const expected = packedLength(layout)
    return {
      decode: (bytes) => {
        const header = headerOf(bytes)
        const { shape, lengths, decodedLength } = header
        if (shape.isFloat !== isFloat || shape.width !== 8 * size || decodedLength !== expected) {
          const found = `${shape.isFloat ? 'float' : 'int'}${shape.width} of shape [${lengths.toReversed()}]`
          throw malformed(
            `a zfp stream holds ${found}, expected ${dataType.kind}${8 * size} of shape [${layout.shape}]`,
          )
        }
        return { kind: 'fixed', bytes: decodeZfp(bytes, header, header.bits) }
      },
    }
  },
}

/** numcodecs compresses moments as the integers that they are. */
const TYPES: readonly string[] = ['int', 'float', 'datetime', 'timedelta']

function headerOf(bytes: Uint8Array): ZfpHeader {
  const bits = bytes.subarray(0, ZFP_HEADER_BYTES).reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n)
  const header = parseZfpHeader(bits)
  if (header === undefined || bytes.length * 8 < header.bits)
    throw malformed(`${bytes.length} bytes begin with no header of zfp`)
  return header
}
