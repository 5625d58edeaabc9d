// JPEG (ITU-T T.81): segments of scans become coefficients, blocks become samples, and these rows of the picture. What
// src/codecs/kernels/jpeg-picture.ts says of the picture lies in memory; markers, tables and limits are read there.
export { openSegment } from './jpeg/bits'
export { partsAt, setPicture } from './jpeg/part'
export { writeRows } from './jpeg/rows'
export { beginScan, readUnits, setBand, transformAll } from './jpeg/scan'

/** From here on the memory is the caller's. */
export const room: usize = __heap_base
