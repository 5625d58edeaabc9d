// ITU-T T.800: JPEG 2000 of any depth and number of components (decision 9 says when it is used).
import { malformed, overLimit } from '../../../errors.ts'
import { BlockDecoder } from './block-decoder.ts'
import { type CodedTile, readCodestream } from './codestream.ts'
import { readPackets } from './packets.ts'
import { type Block, segmentsOf } from './precinct.ts'
import type { Box, Jpeg2000Header } from './size.ts'
import { type ComponentLayout, componentLayout } from './tile-layout.ts'
import { type Plane, synthesise } from './wavelet.ts'

const { fround } = Math

/** The samples of one component, row by row. */
export type Samples = Int32Array | Float64Array

/** Bits of a sample that leave room for filtering in integers of 32 bits. */
const MAX_INT32_BITS = 26

/** What the samples of a picture may take. */
const MOST_BYTES = 2 ** 29

/** The components of a picture. */
export function jpeg2000Samples(bytes: Uint8Array): Samples[] {
  const { header, tilesAcross, tiles } = readCodestream(bytes)
  const { width, height, samples, bits } = header
  const length = width * height * samples * (bits <= MAX_INT32_BITS ? 4 : 8)
  if (length > MOST_BYTES)
    throw overLimit(`a JPEG 2000 picture takes ${length} bytes, at most ${MOST_BYTES} are decoded`)
  const canvas = Array.from({ length: samples }, () => newSamples(width * height, bits))
  const decoder = new BlockDecoder()
  for (const [number, tile] of tiles) {
    const box = tileBox(header, number % tilesAcross, Math.floor(number / tilesAcross))
    const planes = tilePlanes(tile, box, header, decoder)
    for (const [component, plane] of planes.entries()) place(plane, box, canvas[component], header)
  }
  return canvas
}

function newSamples(count: number, bits: number): Samples {
  return bits <= MAX_INT32_BITS ? new Int32Array(count) : new Float64Array(count)
}

function newPlane(count: number, bits: number, isReversible: boolean): Plane {
  return isReversible ? newSamples(count, bits) : new Float32Array(count)
}

function tileBox({ box, tile }: Jpeg2000Header, across: number, down: number): Box {
  const [width, height] = [tile.right - tile.left, tile.bottom - tile.top]
  return {
    left: Math.max(box.left, tile.left + across * width),
    top: Math.max(box.top, tile.top + down * height),
    right: Math.min(box.right, tile.left + (across + 1) * width),
    bottom: Math.min(box.bottom, tile.top + (down + 1) * height),
  }
}

function tilePlanes(tile: CodedTile, box: Box, { samples, bits }: Jpeg2000Header, decoder: BlockDecoder): Plane[] {
  const components = Array.from({ length: samples }, (_, number) =>
    componentLayout({
      number,
      box,
      style: tile.componentStyle(number),
      quantisation: tile.quantisation(number),
      bits,
    }),
  )
  const blocks = readPackets(tile, components)
  const planes = components.map((component, number) => {
    const plane = newPlane((box.right - box.left) * (box.bottom - box.top), bits, component.style.isReversible)
    for (const block of blocks[number] ?? []) decodeInto(plane, block, component, decoder)
    synthesise(plane, component)
    return plane
  })
  if (tile.style.mixesColours) unmixColours(planes, components)
  return planes
}

/** The coefficients of a block, in the place of its band. */
function decodeInto(plane: Plane, block: Block, { box, style }: ComponentLayout, decoder: BlockDecoder): void {
  const { band, width, height, planes } = block
  const stride = box.right - box.left
  const coded = { width, height, orientation: band.orientation, planes, segments: segmentsOf(block) }
  const doubled = decoder.decode(coded, style.block)
  const isWhole = style.isReversible
  const factor = band.step / 2
  for (let row = 0; row < height; row++) {
    let to = (band.down + block.top + row) * stride + band.across + block.left
    let from = (row >> 2) * 4 * width + (row & 3)
    for (let column = 0; column < width; column++, to++, from += 4) {
      const magnitude = (doubled[from] ?? 0) * factor
      if (magnitude === 0) continue
      const value = isWhole ? Math.floor(magnitude) : magnitude
      plane[to] = decoder.isNegative(row, column) ? -value : value
    }
  }
}

/** T.800 annex G: three components that were mixed. */
function unmixColours(planes: readonly Plane[], components: readonly ComponentLayout[]): void {
  const [first, second, third] = planes
  if (first === undefined || second === undefined || third === undefined) {
    throw malformed(`a JPEG 2000 picture of ${planes.length} components mixes three`)
  }
  const kinds = components.slice(0, 3).map(({ style }) => style.isReversible)
  if (new Set(kinds).size > 1) throw malformed('a JPEG 2000 picture mixes components of different transforms')
  const isReversible = kinds[0] === true
  for (let i = 0; i < first.length; i++) {
    const [light, blue, red] = [first[i] ?? 0, second[i] ?? 0, third[i] ?? 0]
    if (isReversible) {
      const green = light - Math.floor((blue + red) / 4)
      first[i] = red + green
      second[i] = green
      third[i] = blue + green
    } else {
      // In floats of 32 bits and with the digits of OpenJPEG; the standard has 0.344136 and 0.714136.
      first[i] = light + fround(fround(1.402) * red)
      second[i] = fround(light - fround(fround(0.344_13) * blue)) - fround(fround(0.714_14) * red)
      third[i] = light + fround(fround(1.772) * blue)
    }
  }
}

/** A tile's samples, moved to where they begin and cut off at what they may be. */
function place(
  plane: Plane,
  box: Box,
  target: Samples | undefined,
  { box: whole, width, bits, signed }: Jpeg2000Header,
): void {
  const least = signed ? -(2 ** (bits - 1)) : 0
  const most = least + 2 ** bits - 1
  const shift = signed ? 0 : 2 ** (bits - 1)
  if (target === undefined) throw new TypeError('a plane is of no component')
  const columns = box.right - box.left
  for (let row = 0, from = 0; row < box.bottom - box.top; row++) {
    let to = (box.top - whole.top + row) * width + box.left - whole.left
    for (const end = to + columns; to < end; to++, from++) {
      const value = roundHalfToEven(plane[from] ?? 0) + shift
      target[to] = value < least ? least : Math.min(value, most)
    }
  }
}

/** As C's `lrint` rounds. */
function roundHalfToEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
