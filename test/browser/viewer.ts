/** A store to be shown, and how its values become colours. */
export interface ShownStore {
  readonly url: string
  /** Three bands are red, green and blue; else values from low to high on the ramp. */
  readonly colours: 'rgb' | readonly [low: number, high: number]
  /** What zarr-layer has to be told of a reference system other than 3857 and 4326. */
  readonly proj4?: string
  /** `band_data` of a COG unless it is another one. */
  readonly variable?: string
  /** One index along each of these further dimensions. */
  readonly dimensions?: Readonly<Record<string, number>>
  /** What zarr-layer draws each pixel by, where not by its ramp alone. */
  readonly customFrag?: string
}

export type LonLat = readonly [longitude: number, latitude: number]
export type ScreenPoint = readonly [x: number, y: number]

/** A map in the page. */
export interface Viewer {
  /** Brings these corners to a square of so many pixels in the middle of the window. */
  show(corners: readonly LonLat[], pixels: number): void
  /** Where places are on the screen. */
  pixelsOf(places: readonly LonLat[]): readonly ScreenPoint[]
  /** Gives back what the map holds: a page may have 16 contexts of WebGL, and loses others beyond that. */
  close(): void
}

/** One level as zarrita reads it. */
export interface ReadLevel {
  readonly shape: readonly number[]
  readonly sha256: string
  /** Values at places given by row and column, band by band. */
  readonly values: readonly (readonly number[])[]
}

export type ViewerName = 'openlayers' | 'zarr-layer'

/** What the page offers to the tests, as `window.viewers`. */
export interface PageApi {
  open(name: ViewerName, store: ShownStore): Promise<Viewer>
  read(url: string, level: string, places: readonly (readonly [number, number])[]): Promise<ReadLevel>
}

/** Side of the window. */
export const WINDOW_SIZE = 640
/** What lies behind every map: seen where there is no data. */
export const BACKGROUND = [255, 0, 255] as const
/** Colours of the lowest and the highest value. */
export const RAMP = [
  [0, 0, 128],
  [255, 255, 0],
] as const
