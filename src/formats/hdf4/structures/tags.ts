// HDF Specification and Developer's Guide (HDF 4.2), chapter 9: tag specifications.

export const TAG = {
  null: 1,
  linked: 20,
  compressed: 40,
  chunk: 61,
  fileLabel: 100,
  fileDescription: 101,
  label: 104,
  description: 105,
  numberType: 106,
  imageDimension: 300,
  lookupTable: 301,
  rasterImage: 302,
  compressedImage: 303,
  imageGroup: 306,
  scienceGroup: 700,
  sdDimensions: 701,
  sdData: 702,
  sdScales: 703,
  sdLabels: 704,
  sdUnits: 705,
  sdFormats: 706,
  sdRange: 707,
  sdCoordinates: 708,
  numericGroup: 720,
  sdCalibration: 731,
  sdFillValue: 732,
  vdataHeader: 1962,
  vdata: 1963,
  vgroup: 1965,
} as const

/** Set in the tag of an element that is stored in a special way: its own bytes say how. */
const SPECIAL = 0x4000
/** Tags from here on are their writers' own, and never special. */
const USER_TAGS = 0x8000

/** The tag without the mark of special elements. */
export function baseTag(tag: number): number {
  return tag < USER_TAGS ? tag & ~SPECIAL : tag
}

export function isSpecial(tag: number): boolean {
  return tag < USER_TAGS && (tag & SPECIAL) !== 0
}
