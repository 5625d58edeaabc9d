// What src/codecs/kernels/jpeg-picture.ts says of a picture: 32-bit words, in this order.

/** One component of the picture. */
@unmanaged
export class Part {
  /** Of all blocks where the picture is progressive, else of the one that is read: 64 words of 16 bits each. */
  coefficients: usize = 0
  samples: usize = 0
  /** Samples from one row to the next. */
  stride: i32 = 0
  blocksAcross: i32 = 0
  blocksDown: i32 = 0
  /** Blocks of a unit of an interleaved scan. */
  horizontal: i32 = 0
  vertical: i32 = 0
  quantization: usize = 0
  dc: usize = 0
  ac: usize = 0
  prediction: i32 = 0
  /** Samples that belong to the image. */
  width: i32 = 0
  height: i32 = 0
  /** How many times smaller than the image. */
  timesAcross: i32 = 0
  timesDown: i32 = 0
  /** Whether samples in between are made by the triangle filter. */
  smooth: i32 = 0
  /** Room for a row of the image. */
  row: usize = 0
  /** Where the row is that is written. */
  shown: usize = 0
}

const PARTS: usize = memory.data(4 * 72, 16)

/** The component with this place in the frame. */
export function partAt(place: i32): Part {
  return changetype<Part>(PARTS + place * offsetof<Part>())
}

/** What all components share. */
@unmanaged
class Picture {
  components: i32 = 0
  width: i32 = 0
  /** 1 where samples have 12 bits, and so two bytes. */
  deep: i32 = 0
  /** Room for a row of 16-bit words, with some before it. */
  row: usize = 0
}

export const picture = changetype<Picture>(memory.data(64, 16))

export function partsAt(): usize {
  return PARTS
}

export function setPicture(components: i32, width: i32, deep: i32, row: usize): void {
  picture.components = components
  picture.width = width
  picture.deep = deep
  picture.row = row
}
