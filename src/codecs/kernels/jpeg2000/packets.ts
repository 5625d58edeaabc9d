// T.800 B.9 and B.10: packets, which say what of each code block they hold, and hold it.
import { malformed, overLimit } from '../../../errors.ts'
import { CODED_PASSES } from './block-decoder.ts'
import type { CodedTile } from './codestream.ts'
import { PacketBits } from './packet-bits.ts'
import { type Block, blockCount, type OpenSegment, type PrecinctBand, precinctBands } from './precinct.ts'
import { packetOrder, precinctsOf } from './progression.ts'
import type { ComponentLayout } from './tile-layout.ts'

/** Blocks of a tile, and how often packets may speak of them. */
const MOST_BLOCKS = 2 ** 20
const MOST_MENTIONS = 2 ** 24
/** More than any coefficient has. */
const MOST_PLANES = 80
const MOST_PASSES = 164
const MOST_LENGTH_BITS = 31

/** The code blocks of each component, with all that the packets of their tile have of them. */
export function readPackets(tile: CodedTile, components: readonly ComponentLayout[]): Block[][] {
  const { order, layers, marksPackets, marksHeaders } = tile.style
  requireFew(tile, components)
  const precincts = precinctsOf(components)
  const bits = new PacketBits(tile.packets)
  for (const [precinct, layer] of packetOrder(precincts, order, layers)) {
    bits.beginHeader(marksPackets)
    const isEmpty = bits.bit() === 0
    if (!isEmpty) precinct.bands ??= precinctBands(precinct.resolution, precinct.index)
    const taken = isEmpty ? [] : readHeader(precinct.bands ?? [], layer, bits, components[precinct.component])
    bits.endHeader(marksHeaders)
    for (const { segment, length } of taken) segment.pieces.push(bits.take(length))
  }
  return components.map(({ number }) =>
    precincts
      .filter(({ component }) => component === number)
      .flatMap(({ bands }) => bands ?? [])
      .flatMap(({ blocks }) => blocks.filter(({ passes }) => passes > 0)),
  )
}

/** Each packet has a byte at least; blocks are made when a packet speaks of them. */
function requireFew({ style: { layers }, packets }: CodedTile, components: readonly ComponentLayout[]): void {
  let [precincts, blocks] = [0, 0]
  for (const { resolutions } of components)
    for (const resolution of resolutions) {
      precincts += resolution.precinctsAcross * resolution.precinctsDown
      blocks += blockCount(resolution)
    }
  if (precincts * layers > packets.length) {
    throw malformed(`a JPEG 2000 tile has ${packets.length} bytes for ${precincts * layers} packets`)
  }
  if (blocks > MOST_BLOCKS || blocks * layers > MOST_MENTIONS) {
    throw overLimit(
      `a JPEG 2000 tile has ${blocks} code blocks in ${layers} layers, at most ${MOST_BLOCKS} are decoded`,
    )
  }
}

interface Taken {
  readonly segment: OpenSegment
  readonly length: number
}

function readHeader(
  bands: readonly PrecinctBand[],
  layer: number,
  bits: PacketBits,
  component: ComponentLayout | undefined,
): Taken[] {
  if (component === undefined) throw new TypeError('a packet is of no component')
  const taken: Taken[] = []
  for (const band of bands)
    for (const block of band.blocks) {
      if (!isIncluded(block, band, layer, bits)) continue
      const passes = readPasses(bits)
      while (bits.bit() === 1) block.lengthBits++
      addPasses(block, passes, component, bits, taken)
    }
  return taken
}

function isIncluded(
  block: Block,
  { band, inclusion, emptyPlanes }: PrecinctBand,
  layer: number,
  bits: PacketBits,
): boolean {
  if (block.passes > 0) return bits.bit() === 1
  if (!inclusion.isBelow(layer + 1, block.x, block.y, bits)) return false
  block.planes = band.planes - emptyPlanes.value(MOST_PLANES, block.x, block.y, bits)
  return true
}

/** Table B.4. */
function readPasses(bits: PacketBits): number {
  if (bits.bit() === 0) return 1
  if (bits.bit() === 0) return 2
  const few = bits.number(2)
  if (few < 3) return 3 + few
  const some = bits.number(5)
  return some < 31 ? 6 + some : 37 + bits.number(7)
}

/** The passes of a block in a packet, by the segments that they are coded in: a length each. */
function addPasses(block: Block, passes: number, { style }: ComponentLayout, bits: PacketBits, taken: Taken[]): void {
  const most = 3 * block.planes - 2
  if (block.passes + passes > most) {
    throw malformed(
      `a code block of ${block.planes} bit planes has ${block.passes + passes} passes, expected at most ${most}`,
    )
  }
  for (let left = passes; left > 0; ) {
    const segment = openSegment(block, style.block)
    const count = Math.min(left, segment.mostPasses - segment.passes)
    const lengthBits = block.lengthBits + 31 - Math.clz32(count)
    if (lengthBits > MOST_LENGTH_BITS) throw malformed(`a length in a JPEG 2000 packet has ${lengthBits} bits`)
    taken.push({ segment, length: bits.number(lengthBits) })
    segment.passes += count
    block.passes += count
    left -= count
  }
}

/** The segment that the next pass belongs to (D.4.2 and D.6): one for all, one for each, or one for each change to raw bits and back. */
function openSegment(
  { segments, passes }: Block,
  style: { readonly bypasses: boolean; readonly terminates: boolean },
): OpenSegment {
  const last = segments.at(-1)
  if (last !== undefined && last.passes < last.mostPasses) return last
  const segment = { passes: 0, mostPasses: mostPasses(passes, style), pieces: [] }
  segments.push(segment)
  return segment
}

function mostPasses(
  before: number,
  { bypasses, terminates }: { readonly bypasses: boolean; readonly terminates: boolean },
): number {
  if (terminates) return 1
  if (!bypasses) return MOST_PASSES
  if (before < CODED_PASSES) return CODED_PASSES
  return before % 3 === 1 ? 2 : 1
}
