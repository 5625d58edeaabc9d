import type { GeoKeys } from './crs/geo-keys.ts'

/** The keys of a file, and what is to be said of them: each function that understands too little says why and gives nothing. */
export interface Reading {
  readonly keys: GeoKeys
  readonly remarks: string[]
}
