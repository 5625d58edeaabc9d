import type { ReferenceSystem } from './geo.ts'

/** From longitude and latitude to a plane, and back; y upwards. */
export interface Projection {
  forward(longitude: number, latitude: number): readonly [number, number] | undefined
  back(x: number, y: number): readonly [number, number] | undefined
}

const PLATE_CARREE: Projection = {
  forward: (longitude, latitude) => [longitude, latitude],
  back: (x, y) => [x, y],
}

/** The projection of a reference system; what computes others than plain degrees is loaded when it is needed. */
export async function projectionOf(crs: ReferenceSystem): Promise<Projection | undefined> {
  if (crs.kind === 'geographic') return PLATE_CARREE
  const { default: proj4 } = await import('proj4')
  try {
    const converter = proj4('WGS84', crs.definition)
    return { forward: guarded(converter.forward), back: guarded(converter.inverse) }
  } catch {
    // A definition that is not understood: the plane is drawn without coasts.
    return undefined
  }
}

type Convert = (point: [number, number]) => number[]

function guarded(convert: Convert) {
  return (x: number, y: number): readonly [number, number] | undefined => {
    try {
      const [a, b] = convert([x, y])
      return a !== undefined && b !== undefined && Number.isFinite(a) && Number.isFinite(b) ? [a, b] : undefined
    } catch {
      return undefined
    }
  }
}
