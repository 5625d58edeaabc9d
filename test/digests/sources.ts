import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { joinedSources } from '../helpers/test-joins.ts'
import { corpusSources, fixtureSources, type TestSource } from '../helpers/test-sources.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)

/** Every source of the fixtures, the examples and the corpora, and the joins and virtual rasters made of them. */
export function digestSources(): TestSource[] {
  return [...fixtureSources(), ...exampleSources(), ...joinedSources(), ...virtualRasters(), ...corpusSources()]
}

/** The entries of the bundled catalog. All files lie in one folder, since documents among them refer to others. */
function exampleSources(): TestSource[] {
  const catalog = readFileSync(new URL('catalog.yaml', EXAMPLES), 'utf8')
  const urls = [...catalog.matchAll(/^ {4}url: (.+)$/gm)].map(([, url = '']) => url)
  return urls.map((source) => ({
    format: 'example',
    name: `examples/${source}`,
    source,
    members: () => exampleFiles(),
  }))
}

let files: Record<string, Uint8Array> | undefined
function exampleFiles(): Readonly<Record<string, Uint8Array>> {
  files ??= filesBelow(EXAMPLES)
  return files
}

function filesBelow(folder: URL, prefix = ''): Record<string, Uint8Array> {
  const found: Record<string, Uint8Array> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'fleet' || entry.name === 'systemd') continue
    if (entry.isDirectory())
      Object.assign(found, filesBelow(new URL(`${entry.name}/`, folder), `${prefix}${entry.name}/`))
    else found[prefix + entry.name] = new Uint8Array(readFileSync(new URL(entry.name, folder)))
  }
  return found
}

const GEOTIFF = new URL('harvest.tif', EXAMPLES)

/** Virtual rasters over one image: placed, scaled, masked by a value, and two bands of one file. */
function virtualRasters(): TestSource[] {
  if (!existsSync(GEOTIFF)) throw new Error(`${fileURLToPath(GEOTIFF)} is missing`)
  const window = (offset: number) =>
    `<SrcRect xOff="0" yOff="0" xSize="96" ySize="96"/><DstRect xOff="${offset}" yOff="${offset}" xSize="96" ySize="96"/>`
  const file = '<SourceFilename relativeToVRT="1">harvest.tif</SourceFilename><SourceBand>1</SourceBand>'
  const band = (content: string, type = 'Float32') =>
    `<VRTRasterBand dataType="${type}" band="1"><NoDataValue>-9999</NoDataValue>${content}</VRTRasterBand>`
  const simple = `<SimpleSource>${file}${window(0)}</SimpleSource>`
  const scaled = `<ComplexSource>${file}${window(40)}<NODATA>0</NODATA><ScaleOffset>1</ScaleOffset><ScaleRatio>0.5</ScaleRatio></ComplexSource>`
  const documents = {
    simple: band(simple),
    scaled: band(scaled),
    overlaid: band(simple + scaled),
    whole: band(simple, 'Int32'),
  }
  return Object.entries(documents).map(([name, content]) => ({
    format: 'vrt',
    name: `virtual raster, ${name}`,
    source: 'raster.vrt',
    members: () => ({
      'harvest.tif': new Uint8Array(readFileSync(GEOTIFF)),
      'raster.vrt': Buffer.from(`<VRTDataset rasterXSize="160" rasterYSize="150">${content}</VRTDataset>`),
    }),
  }))
}
