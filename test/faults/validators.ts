import type { OriginFile } from '../helpers/origin.ts'

/** What an origin tells of one of two versions. */
export type Told = Omit<OriginFile, 'bytes'>

export interface Way {
  readonly name: string
  /** A broken body can be gone on with: an equal validator proves that the rest is of the same version. */
  readonly isStrong: boolean
  /** Nothing tells the versions apart but their bytes. */
  readonly isSilent?: true
  told(version: 0 | 1): Told
}

const DATES = ['Mon, 05 Jan 2026 10:00:00 GMT', 'Tue, 06 Jan 2026 10:00:00 GMT'] as const
const tag = (version: 0 | 1) => `"v${version}"`
const date = (version: 0 | 1) => DATES[version]

/** Dates a moment ago, of even seconds for one version and odd ones for the other: too young to prove anything. */
function youngDate(version: 0 | 1): string {
  return new Date((Math.floor(Date.now() / 2000) * 2 + version) * 1000).toUTCString()
}

let replica = 0

/** The eleven ways of telling (or not telling) which version an answer is of. */
export const WAYS: readonly Way[] = [
  { name: 'strong tag', isStrong: true, told: (version) => ({ etag: tag(version) }) },
  { name: 'nothing', isStrong: false, isSilent: true, told: () => ({}) },
  { name: 'date', isStrong: true, told: (version) => ({ lastModified: date(version) }) },
  { name: 'weak tag', isStrong: false, told: (version) => ({ etag: `W/${tag(version)}` }) },
  { name: 'tag and date', isStrong: true, told: (version) => ({ etag: tag(version), lastModified: date(version) }) },
  { name: 'young date', isStrong: false, told: (version) => ({ lastModified: youngDate(version) }) },
  {
    name: 'weak tag and date',
    isStrong: true,
    told: (version) => ({ etag: `W/${tag(version)}`, lastModified: date(version) }),
  },
  { name: 'tag, If-Match ignored', isStrong: true, told: (version) => ({ etag: tag(version), ifMatch: false }) },
  { name: 'tag, If-Match refused', isStrong: true, told: (version) => ({ etag: tag(version), ifMatch: 'refused' }) },
  { name: 'the same weak tag', isStrong: false, isSilent: true, told: () => ({ etag: 'W/"same"' }) },
  // Replicas that each make a tag of their own for the same bytes.
  { name: 'tag of a replica', isStrong: true, told: (version) => ({ etag: `"v${version}-${replica++ % 2}"` }) },
]
