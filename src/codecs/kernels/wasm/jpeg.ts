import { JPEG_WASM } from './compiled/jpeg.ts'
import { Kernel } from './kernel.ts'

/** The functions of wasm/jpeg.ts. */
export interface JpegKernels {
  /** Where the words are that say what a component is, one after another. */
  partsAt(): number
  setPicture(components: number, width: number, deep: number, row: number): void
  /** Copies a segment to `words`, where it is read; returns where the marker after it is. */
  openSegment(from: number, end: number, words: number): number
  /** `parts` are the places of components in the frame, four bits each; `across` units are in a row. */
  beginScan(kind: number, parts: number, count: number, across: number): void
  setBand(first: number, last: number, low: number): void
  /** Reads units of a segment; what is wrong with it is negative. */
  readUnits(from: number, count: number): number
  transformAll(part: number): void
  writeRows(to: number, first: number, count: number, green: number): void
}

export const jpegKernels = new Kernel<JpegKernels>(JPEG_WASM)
