// Writes the coastline of the explorer's map: `node scripts/make-coastline.ts`.
//
// From Natural Earth (public domain) in the TopoJSON of the package world-atlas: its arcs, in hundredths of degrees, each point as the
// step from the one before.
import { readFileSync, writeFileSync } from 'node:fs'

interface Topology {
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] }
}

const STEPS_PER_DEGREE = 100

const text = readFileSync(new URL('../node_modules/world-atlas/land-110m.json', import.meta.url), 'utf8')
const { arcs, transform } = JSON.parse(text) as Topology

const lines = arcs.map((arc) => {
  let [x, y] = [0, 0]
  let [lastX, lastY] = [0, 0]
  return arc.flatMap(([stepX, stepY]) => {
    x += stepX
    y += stepY
    const longitude = Math.round((x * transform.scale[0] + transform.translate[0]) * STEPS_PER_DEGREE)
    const latitude = Math.round((y * transform.scale[1] + transform.translate[1]) * STEPS_PER_DEGREE)
    const step = [longitude - lastX, latitude - lastY]
    lastX = longitude
    lastY = latitude
    return step
  })
})
writeFileSync(new URL('../web/src/map/coastline.json', import.meta.url), `${JSON.stringify(lines)}\n`)
