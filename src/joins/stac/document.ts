/** An Item of a SpatioTemporal Asset Catalog, as far as it says what values are and where: https://stacspec.org */
export interface StacItem {
  readonly id: string
  /** Microseconds since 1970; undefined where it says no time. */
  readonly time: number | undefined
  /** In the order of the document. */
  readonly assets: readonly StacAsset[]
  /** Plain values of the properties: text, numbers, truth values. */
  readonly properties: ReadonlyMap<string, string | number | boolean>
}

/** A file of an Item. */
export interface StacAsset {
  readonly key: string
  /** Absolute: the first of its places that is of a scheme that is read here. */
  readonly href: string
  readonly mediaType: string | undefined
  readonly roles: readonly string[]
  readonly title: string | undefined
  readonly bands: readonly StacBand[]
}

/** What is said of a band, or of all of an asset. */
export interface StacBand {
  readonly name: string | undefined
  readonly scale: number | undefined
  readonly offset: number | undefined
  /** A number, or `nan`, `inf`, `-inf`. */
  readonly nodata: string | undefined
  readonly unit: string | undefined
  /** Of the extensions `eo`: names, wavelengths. */
  readonly optics: ReadonlyMap<string, string | number>
}

/** A page of a search, a collection, or an Item alone. */
export interface StacPage {
  readonly kind: 'item' | 'items' | 'collection'
  readonly items: readonly StacItem[]
  /** The next page, and documents of Items. */
  readonly next: string | undefined
  readonly itemLinks: readonly string[]
}
