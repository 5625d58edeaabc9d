/** Values of the Compression tag: TIFF 6.0, its supplements, libtiff and GDAL. */
export const COMPRESSION = {
  none: 1,
  ccittRle: 2,
  ccittFax3: 3,
  ccittFax4: 4,
  lzw: 5,
  oldJpeg: 6,
  jpeg: 7,
  deflate: 8,
  next: 32_766,
  packBits: 32_773,
  thunderScan: 32_809,
  oldDeflate: 32_946,
  jpeg2000: 34_712,
  lerc: 34_887,
  lzma: 34_925,
  png: 34_933,
  jpeg2000Aperio: 33_005,
  zstd: 50_000,
  webp: 50_001,
  jpegXl: 50_002,
  jpegXlDng: 52_546,
} as const

/** Names for attributes and errors, as GDAL spells them where it does. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'NONE'],
  [2, 'CCITTRLE'],
  [3, 'CCITTFAX3'],
  [4, 'CCITTFAX4'],
  [5, 'LZW'],
  [6, 'OJPEG'],
  [7, 'JPEG'],
  [8, 'DEFLATE'],
  [9, 'JBIG'],
  [32_766, 'NEXT'],
  [32_773, 'PACKBITS'],
  [32_809, 'THUNDERSCAN'],
  [32_908, 'PIXARFILM'],
  [32_909, 'PIXARLOG'],
  [32_946, 'DEFLATE'],
  [33_003, 'JPEG2000 (Aperio, YCbCr)'],
  [33_004, 'JPEG2000 (lossy)'],
  [33_005, 'JPEG2000 (Aperio, RGB)'],
  [34_661, 'JBIG'],
  [34_676, 'SGILOG'],
  [34_677, 'SGILOG24'],
  [34_712, 'JPEG2000'],
  [34_887, 'LERC'],
  [34_892, 'JPEG (DNG, lossy)'],
  [34_925, 'LZMA'],
  [34_933, 'PNG'],
  [50_000, 'ZSTD'],
  [50_001, 'WEBP'],
  [50_002, 'JXL'],
  [52_546, 'JXL'],
])

/** The name of a compression, or its number. */
export function compressionName(compression: number): string {
  return NAMES.get(compression) ?? String(compression)
}
