// Citations are texts for people, but ERDAS, ArcGIS and GDAL write parts of definitions into them, and GDAL reads those.
import { GEO_KEY, type GeoKeys, keyText } from './geo-keys.ts'

/** What a citation may say of a system. */
const LABELS = ['PCS Name', 'GCS Name', 'Datum', 'Ellipsoid', 'Primem', 'LUnits', 'AUnits'] as const

type Label = (typeof LABELS)[number]

/** The labelled parts of a citation. */
export type Citation = ReadonlyMap<Label, string>

/** `GCS Name = …|Datum = …|…` as ArcGIS and GDAL write it, or the lines of ERDAS Imagine. */
export function citationOf(keys: GeoKeys, key: number): Citation {
  const text = keyText(keys, key) ?? ''
  return /^IMAGINE GeoTIFF Support/i.test(text) ? imagineCitation(text) : labelledParts(text)
}

function labelledParts(text: string): Citation {
  const found = new Map<Label, string>()
  for (const part of text.split('|')) {
    const label = LABELS.find((name) => part.includes(`${name} = `))
    if (label !== undefined && !found.has(label))
      found.set(label, part.slice(part.indexOf(`${label} = `) + label.length + 3))
  }
  return found
}

const IMAGINE_LABELS = /\s*\b(?:NAD|Datum|Ellipsoid|Units) = /

/** Lines under a heading that ends in `$`: a name, and `Label = value`. */
function imagineCitation(text: string): Citation {
  const found = new Map<Label, string>()
  const keep = (label: Label, value: string | undefined) => {
    const [kept = ''] = (value ?? '').split(IMAGINE_LABELS)
    if (kept.trim() !== '') found.set(label, kept.trim())
  }
  const body = text.slice(text.lastIndexOf('$') + 1).trim()
  keep('PCS Name', /Projection(?: Name)? = (.*)/.exec(text)?.[1] ?? /^.*/.exec(body)?.[0])
  if (!body.startsWith('Unable to')) keep('GCS Name', /^.*/.exec(body)?.[0])
  keep('Datum', /Datum = (.*)/.exec(body)?.[1])
  keep('Ellipsoid', /Ellipsoid = (.*)/.exec(body)?.[1])
  keep('LUnits', /Units = (.*)/.exec(body)?.[1])
  return found
}

/** The citation as a name, where it is no more than that. */
export function plainCitation(keys: GeoKeys, key: number): string | undefined {
  const text = keyText(keys, key)?.replaceAll(/\s+/g, ' ').trim()
  return text === undefined || text === '' || text.includes(' = ') ? undefined : text
}

/** Whether a citation of ArcGIS or ERDAS Imagine names a state plane, which GDAL takes from a table of its own. */
export function isStatePlane(keys: GeoKeys): boolean {
  const [first, projected] = [GEO_KEY.citation, GEO_KEY.projectedCitation].map((key) => keyText(keys, key) ?? '')
  return /Projection Name = .*_StatePlane_/.test(first ?? '') || (projected ?? '').includes('State Plane Zone ')
}

/** Units of length by the names that citations have for them, and their metres as GDAL has them. */
const CITED_UNITS: readonly (readonly [name: string, metres: number])[] = [
  ['meters', 1],
  ['centimeters', 0.01],
  ['cm', 0.01],
  ['millimeters', 0.001],
  ['mm', 0.001],
  ['kilometers', 1000],
  ['km', 1000],
  ['us_survey_feet', 1200 / 3937],
  ['us_survey_foot', 1200 / 3937],
  ['feet', 1200 / 3937],
  ['foot', 1200 / 3937],
  ['ft', 1200 / 3937],
  ['international_feet', 0.3048],
  ['international_foot', 0.3048],
  ['inches', 0.0254000508001],
  ['yards', 0.9144],
  ['yd', 0.9144],
  ['modified_american_feet', 0.304812253],
  ['modified_american_foot', 0.304812253],
  ['clarke_feet', 0.3047972651],
  ['clarke_foot', 0.3047972651],
  ['indian_feet', 0.3047995142],
  ['indian_foot', 0.3047995142],
  ['Yard_Indian', 0.9143985307444408],
  ['Foot_Clarke', 0.3047972654],
  ['Foot_Gold_Coast', 0.3047997101815088],
  ['Link_Clarke', 0.201166195164],
  ['Yard_Sears', 0.9143984146160287],
]

/** Metres of a cited unit: like GDAL, all of a name but its last letter must fit. */
export function citedMetres(name: string): number | undefined {
  const start = name.slice(0, -1).toLowerCase()
  return CITED_UNITS.find(([known]) => known.toLowerCase().startsWith(start))?.[1]
}
