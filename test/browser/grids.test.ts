import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { missingFragment } from '../../web/src/snippets/map-snippets.ts'
import { type Expected, makeGrids } from './expected.ts'
import { checkMap } from './map-check.ts'
import type { ShownStore } from './viewer.ts'
import { NO_CHROMIUM, viewerWorld } from './viewer-world.ts'

const PROJ4: Readonly<Record<string, string>> = {
  'EPSG:32633': '+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs',
}
const PIXELS = 600

describe('NetCDF grids in map viewers, straight from their store URLs', { skip: NO_CHROMIUM }, () => {
  let expected: Readonly<Record<string, Expected>>
  const world = viewerWorld((folder) => {
    expected = makeGrids(folder)
  })

  for (const name of ['packed', 'heights', 'zone', 'world']) {
    test(`CONV-8: OpenLayers shows ${name} in its place and colours, and nothing where there is no data`, async () => {
      const known = expectedOf(name)
      await world.page.open('openlayers', { ...storeOf(name), colours: known.range ?? 'rgb' })
      await world.page.show(known.corners, PIXELS)
      await checkMap(world.page, `${name}-openlayers`, [...known.centres, ...known.borders], known)
    })
  }

  test('OpenLayers refuses rows from the south, which it would show upside down', async () => {
    const opened = world.page.open('openlayers', { ...storeOf('southern'), colours: [0, 1] })
    await assert.rejects(opened, /Could not determine tile grid/)
  })

  for (const name of ['packed', 'heights', 'zone', 'southern', 'world']) {
    test(`CONV-8: zarr-layer shows ${name} in its place and colours, and nothing where there is no data`, async () => {
      const known = expectedOf(name)
      const proj4 = PROJ4[known.crs]
      const looks = { colours: unpackedRange(known), ...drawing(known), ...(proj4 !== undefined && { proj4 }) }
      await world.page.open('zarr-layer', { ...storeOf(name), ...looks })
      await world.page.show(known.corners, PIXELS)
      await checkMap(world.page, `${name}-zarr-layer`, [...known.centres, ...known.borders], known)
    })
  }

  function expectedOf(name: string): Expected {
    const known = expected[name]
    assert.ok(known !== undefined)
    return known
  }

  function storeOf(name: string): Pick<ShownStore, 'url' | 'variable' | 'dimensions'> {
    const url = `${world.storeOf(`${name}.nc`)};missing=fill`
    return { url, variable: 'value', ...(name === 'packed' && { dimensions: { time: 2 } }) }
  }
})

function unpackedRange({ range, scale, offset }: Expected): readonly [number, number] {
  const [low, high] = range ?? [0, 1]
  return [low * (scale ?? 1) + (offset ?? 0), high * (scale ?? 1) + (offset ?? 0)]
}

/** What the snippet of the landing page says. */
function drawing({ scale, offset, fill, dtype }: Expected): Pick<ShownStore, 'customFrag'> {
  const attributes = { _FillValue: fill ?? null, scale_factor: scale ?? 1, add_offset: offset ?? 0 }
  const customFrag = missingFragment('value', { attributes, data_type: dtype })
  return customFrag === undefined ? {} : { customFrag }
}
