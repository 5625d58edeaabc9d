import type { EosGrid } from './structure.ts'

export interface Ellipsoid {
  readonly major: number
  readonly minor: number
}

/** GCTP's numbers of ellipsoids (sphdz.c). */
const ELLIPSOIDS: readonly (readonly [major: number, minor: number])[] = [
  [6_378_206.4, 6_356_583.8],
  [6_378_249.145, 6_356_514.86955],
  [6_377_397.155, 6_356_078.96284],
  [6_378_157.5, 6_356_772.2],
  [6_378_388, 6_356_911.94613],
  [6_378_135, 6_356_750.519915],
  [6_377_276.3452, 6_356_075.4133],
  [6_378_145, 6_356_759.769356],
  [6_378_137, 6_356_752.31414],
  [6_377_563.396, 6_356_256.91],
  [6_377_304.063, 6_356_103.039],
  [6_377_340.189, 6_356_034.448],
  [6_378_137, 6_356_752.314245],
  [6_378_155, 6_356_773.3205],
  [6_378_160, 6_356_774.719],
  [6_378_245, 6_356_863.0188],
  [6_378_270, 6_356_794.343479],
  [6_378_166, 6_356_784.283666],
  [6_378_150, 6_356_768.337303],
  [6_370_997, 6_370_997],
  [6_377_483.865, 6_356_165.382966],
]
const CLARKE_1866 = 0
const SPHERE = 19
const WGS84 = 12

/** By its number, or where that is negative by the first two parameters, whose signs don't count: both axes, or one and the eccentricity squared. */
export function ellipsoidOf({ sphere, parameters, projection }: EosGrid, isSpherical: boolean): Ellipsoid {
  const [major, second] = [Math.abs(parameters[0] ?? 0), Math.abs(parameters[1] ?? 0)]
  if (sphere !== undefined && sphere >= 0) return numbered(isSpherical ? SPHERE : sphere)
  if (major === 0 && projection === 'GCTP_GEO') return numbered(WGS84)
  if (major === 0) return numbered(second === 0 || isSpherical ? SPHERE : CLARKE_1866)
  const minor = second > 1 ? second : major * Math.sqrt(1 - second)
  return { major, minor: isSpherical ? major : minor }
}

function numbered(number: number): Ellipsoid {
  const [major, minor] = ELLIPSOIDS[number] ?? ELLIPSOIDS[CLARKE_1866] ?? [0, 0]
  return { major, minor }
}

/** Angles of GCTP are packed: degrees, three digits of minutes, three of seconds and what is behind the point. */
export function degreesOf(packed: number): number {
  const size = Math.abs(packed)
  const degrees = Math.trunc(size / 1_000_000)
  const minutes = Math.trunc((size - degrees * 1_000_000) / 1000)
  const seconds = size - degrees * 1_000_000 - minutes * 1000
  return Math.sign(packed) * (degrees + minutes / 60 + seconds / 3600)
}
