import type { XmlElement } from '../../formats/georeference/gdal-xml.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'

/** Attributes and elements that are read or change nothing, by their names in small letters; `true`: with all that is in it. */
interface KnownElements {
  readonly [name: string]: KnownElements | true
}

const WINDOW: KnownElements = { xoff: true, yoff: true, xsize: true, ysize: true }
const METADATA: KnownElements = { domain: true, format: true, mdi: true }

const SIMPLE_SOURCE: KnownElements = {
  sourcefilename: { relativetovrt: true, shared: true },
  sourceband: true,
  // What GDAL once opened files later by; since 3.4 it reads none of it.
  sourceproperties: true,
  srcrect: WINDOW,
  dstrect: WINDOW,
  // How windows of unequal size are resampled, which are refused.
  resampling: true,
  name: true,
  openoptions: true,
}

const COMPLEX_SOURCE: KnownElements = {
  ...SIMPLE_SOURCE,
  nodata: true,
  usemaskband: true,
  scaleoffset: true,
  scaleratio: true,
}

const SOURCES: Readonly<Record<string, KnownElements>> = {
  SimpleSource: SIMPLE_SOURCE,
  ComplexSource: COMPLEX_SOURCE,
}

const PLAIN_BAND: KnownElements = {
  datatype: true,
  band: true,
  subclass: true,
  blockxsize: true,
  blockysize: true,
  nodatavalue: true,
  hidenodatavalue: true,
  description: true,
  unittype: true,
  scale: true,
  offset: true,
  colorinterp: true,
  metadata: METADATA,
}

const MASK_BAND: KnownElements = { vrtrasterband: PLAIN_BAND }

const DATASET: KnownElements = {
  rasterxsize: true,
  rasterysize: true,
  subclass: true,
  blockxsize: true,
  blockysize: true,
  srs: { dataaxistosrsaxismapping: true },
  geotransform: true,
  metadata: METADATA,
  maskband: MASK_BAND,
  vrtrasterband: { ...PLAIN_BAND, maskband: MASK_BAND },
}

const MAX_DIAGNOSTICS = 100

interface Ignored {
  readonly first: string
  count: number
}

/** A diagnostic for each kind of attribute or element that is not interpreted, with the path of the first of them. */
export async function warnOfIgnored(root: XmlElement, warn: (diagnostic: Diagnostic) => void): Promise<void> {
  const found = new Map<string, Ignored>()
  await visit(root, DATASET, root.name, root.name, found)
  for (const { first, count } of found.values()) {
    const others = count === 1 ? '' : `, and ${count - 1} others of its name`
    warn({ code: 'vrt-element-ignored', message: `${first}${others}: not interpreted` })
  }
}

async function visit(
  element: XmlElement,
  known: KnownElements,
  path: string,
  kind: string,
  found: Map<string, Ignored>,
): Promise<void> {
  const ignore = (name: string, first: string) => {
    const key = `${kind}/${name.toLowerCase()}`
    const ignored = found.get(key)
    if (ignored !== undefined) ignored.count++
    else if (found.size < MAX_DIAGNOSTICS) found.set(key, { first: first.slice(0, 300), count: 1 })
  }
  for (const name of Object.keys(element.attributes))
    if (knownIn(known, name) === undefined) ignore(name, `${path}/@${name}`)
  const numbers = new Map<string, number>()
  for (const child of element.children) {
    const wait = turn()
    if (wait !== undefined) await wait
    const name = child.name.toLowerCase()
    const at = (numbers.get(name) ?? 0) + 1
    numbers.set(name, at)
    const inside = knownIn(known, child.name)
    const place = `${path}/${child.name}[${at}]`
    if (inside === undefined) ignore(child.name, place)
    else if (inside !== true) await visit(child, inside, place, `${kind}/${name}`, found)
  }
}

/** Names of sources, which only bands have, are the only ones that GDAL compares with regard to case. */
function knownIn(known: KnownElements, name: string): KnownElements | true | undefined {
  const isBand = Object.hasOwn(known, 'datatype')
  if (isBand && Object.hasOwn(SOURCES, name)) return SOURCES[name]
  const small = name.toLowerCase()
  return Object.hasOwn(known, small) ? known[small] : undefined
}
