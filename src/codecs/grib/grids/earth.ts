import type { Earth } from './grid.ts'

/** Code table 3.2, in metres. */
const SPHERES: ReadonlyMap<number, number> = new Map([
  [0, 6_367_470],
  [6, 6_371_229],
  [8, 6_371_200],
  [11, 695_990_000],
])
const ELLIPSOIDS: ReadonlyMap<number, Earth> = new Map([
  [2, { major: 6_378_160, minor: 6_356_775 }],
  [4, { major: 6_378_137, minor: 6_356_752.314 }],
  [5, { major: 6_378_137, minor: 6_356_752.3142 }],
  [9, { major: 6_377_563.396, minor: 6_356_256.909 }],
])
const OWN_SPHERE = 1
const OWN_KILOMETRES = 3
const OWN_METRES = 7
/** What GRIB 1 has: a sphere, or the ellipsoid of the IAU. */
export const SPHERE_OF_EDITION_1: Earth = { major: 6_367_470, minor: 6_367_470 }
export const ELLIPSOID_OF_EDITION_1: Earth = { major: 6_378_160, minor: 6_356_775 }

/** The shape of the earth by octets 15 to 30 of section 3. */
export function earthOf(at: (octet: number, size?: number) => number): Earth {
  const code = at(15, 1)
  const scaled = (octet: number) => at(octet + 1) / 10 ** at(octet, 1)
  if (code === OWN_SPHERE) return { major: scaled(16), minor: scaled(16) }
  if (code === OWN_KILOMETRES) return { major: scaled(21) * 1000, minor: scaled(26) * 1000 }
  if (code === OWN_METRES) return { major: scaled(21), minor: scaled(26) }
  const radius = SPHERES.get(code) ?? 6_371_229
  return ELLIPSOIDS.get(code) ?? { major: radius, minor: radius }
}
