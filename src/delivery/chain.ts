import type { ChunkLayout } from '../codecs/codec.ts'
import { packedLength } from '../codecs/elements.ts'
import { BLOSC_MOST_BLOCK, BLOSC_MOST_CONTENT, type EnvelopeFrame } from '../codecs/kernels/blosc-frame.ts'
import { plane } from '../codecs/own/plane.ts'
import { squeeze } from '../codecs/own/squeeze.ts'
import { prepareEncoding } from '../codecs/prepare.ts'
import { checksumPlace } from '../codecs/zarr/checksum.ts'
import { shuffleSize } from '../codecs/zarr/shuffle.ts'
import type { Encoding, StoredCodec } from '../model/encoding.ts'
import { advertised, bloscItemSize } from './advertise.ts'
import type { Cut } from './delivery.ts'

/** One of an array's encodings, taken apart; codecs are spelled as they would be advertised. */
export interface Chain {
  /** From the array to bytes. */
  readonly head: readonly StoredCodec[]
  /** Everything after that, from the array outward. */
  readonly outer: readonly StoredCodec[]
  /** The layout that the serial codec sees. */
  readonly layout: ChunkLayout
  /** What follows the bytes that are needed is ignored. */
  readonly ignoresSurplus: boolean
}

/** Takes an encoding apart; throws `unsupported-feature` when it can't be decoded. */
export function chainOf(encoding: Encoding, layout: ChunkLayout): Chain {
  const { arrays, inner, serial, bytes } = prepareEncoding(encoding, layout)
  const layouts = [layout, ...arrays.map((step) => step.encodedLayout)]
  const spelled = encoding.map((codec, place) => advertised(codec, layouts[place] ?? inner))
  const headLength = encoding.length - bytes.length
  const head = spelled.slice(0, headLength).filter((codec) => !isIdentity(codec))
  return { head, outer: spelled.slice(headLength), layout: inner, ignoresSurplus: serial.surplus !== undefined }
}

function isIdentity({ name, configuration }: StoredCodec): boolean {
  if (name === squeeze.name || (name === plane.name && configuration['count'] === 1)) return true
  const order = configuration['order']
  return name === 'transpose' && Array.isArray(order) && order.every((axis, place) => axis === place)
}

export const NO_CUT: Cut = { leading: 0, trailing: 0 }

/** Checksums around the rest are cut off unread. */
export function withoutChecksums(chain: Chain): { readonly chain: Chain; readonly cut: Cut } {
  let { leading, trailing } = NO_CUT
  let end = chain.outer.length
  for (; end > 0; end--) {
    const codec = chain.outer[end - 1]
    const place = codec === undefined ? undefined : checksumPlace(codec.name, codec.configuration)
    if (place === undefined) break
    if (place === 'start') leading += 4
    else trailing += 4
  }
  return { chain: { ...chain, outer: chain.outer.slice(0, end) }, cut: { leading, trailing } }
}

/** The Blosc frame that the stored stream fits in as it is, and what is cut off it first; undefined when there is none. */
export function frameOf(chain: Chain, cut: Cut): { readonly frame: EnvelopeFrame; readonly cut: Cut } | undefined {
  const decodedLength = packedLength(chain.layout)
  const stream = streamOf(chain)
  if (decodedLength === undefined || decodedLength === 0 || stream === undefined) return undefined
  const { shuffled, header, kind, itemSize } = stream
  if (shuffled && itemSize > 255) return undefined
  if (decodedLength > (kind === 'raw' && !shuffled ? BLOSC_MOST_CONTENT : BLOSC_MOST_BLOCK)) return undefined
  return {
    frame: { stream: kind, itemSize, shuffled, decodedLength },
    cut: { leading: cut.leading + header, trailing: cut.trailing },
  }
}

function streamOf({ outer, layout }: Chain) {
  const [first, ...rest] = outer
  const shuffle = first?.name === 'numcodecs.shuffle' ? shuffleSize(first.configuration) : 1
  const compressors = first?.name === 'numcodecs.shuffle' ? rest : outer
  if (compressors.length > 1) return undefined
  const shuffled = shuffle > 1
  const itemSize = shuffled ? shuffle : bloscItemSize(layout.dataType)
  switch (compressors[0]?.name) {
    case undefined:
      return { kind: 'raw', header: 0, shuffled, itemSize } as const
    case 'numcodecs.zlib':
      return { kind: 'zlib', header: 0, shuffled, itemSize } as const
    case 'zstd':
      return { kind: 'zstd', header: 0, shuffled, itemSize } as const
    case 'numcodecs.lz4':
      // numcodecs puts the decoded length before the block.
      return { kind: 'lz4', header: 4, shuffled, itemSize } as const
  }
  return undefined
}
