import type { AttributeValue } from '../../../model/virtual-store.ts'

/** What the geolocation fields are that HDF-EOS has names for, in the words of CF. */
const ATTRIBUTES: Readonly<Record<string, readonly [name: string, units: string]>> = {
  Latitude: ['latitude', 'degrees_north'],
  Longitude: ['longitude', 'degrees_east'],
}

/** Attributes of a geolocation field that has none of its own. */
export function geolocationAttributes(field: string): readonly [string, AttributeValue][] {
  const [standardName, units] = ATTRIBUTES[field] ?? []
  if (standardName === undefined || units === undefined) return []
  return [
    ['standard_name', standardName],
    ['units', units],
  ]
}
