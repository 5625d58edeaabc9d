import { type AxisLabels, drawAxes } from './axes.ts'
import { listenTo } from './gestures.ts'
import { drawPicture, indexAt, type Picture, type Placement } from './picture.ts'
import { type Box, type Frame, fitted, panned, planeMatrix, seenBox, type Viewport, zoomed } from './viewport.ts'

/** What lies over the picture: coasts, meridians. */
export type Overlay = (context: CanvasRenderingContext2D, place: OverlayPlace) => void

export interface OverlayPlace {
  readonly view: Viewport
  readonly frame: Frame
  readonly ink: string
  readonly paper: string
}

/** All that is drawn. */
export interface Scene {
  readonly placement: Placement
  /** All of the array on the plane. */
  readonly box: Box
  readonly isUniform: boolean
  /** The coarse one first; finer ones lie over it. */
  readonly pictures: readonly Picture[]
  readonly opacity: number
  readonly under?: Overlay | undefined
  readonly over?: Overlay | undefined
  readonly labels?: AxisLabels | undefined
}

export interface PlaneListeners {
  /** A row and a column of the full resolution; undefined beside the array. */
  onPoint(index: readonly [number, number] | undefined): void
  /** The view rests: this part of the plane is seen, at so many pixels a unit. */
  onRest(seen: Box, scale: readonly [x: number, y: number]): void
}

const REST_MILLISECONDS = 120
const WITH_LABELS = { left: 72, right: 12, top: 12, bottom: 32 }
const WITHOUT = { left: 0, right: 0, top: 0, bottom: 0 }

/** A canvas that shows a plane, and is moved by hand. */
export class PlaneCanvas {
  readonly #canvas: HTMLCanvasElement
  readonly #listeners: PlaneListeners
  readonly #stop: () => void
  #scene: Scene | undefined
  #view: Viewport | undefined
  #isMoved = false
  #restTimer = 0
  #frameRequest = 0

  constructor(canvas: HTMLCanvasElement, listeners: PlaneListeners) {
    this.#canvas = canvas
    this.#listeners = listeners
    const resized = new ResizeObserver(() => this.#resize())
    resized.observe(canvas)
    const stopListening = listenTo(canvas, {
      pan: (x, y) => this.#move((view) => panned(view, x, y)),
      zoom: (by, x, y) => this.zoom(by, x, y),
      point: (x, y) => this.#point(x, y),
      leave: () => listeners.onPoint(undefined),
      reset: () => this.reset(),
    })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => this.#draw()
    scheme.addEventListener('change', recolour)
    this.#stop = () => {
      resized.disconnect()
      stopListening()
      scheme.removeEventListener('change', recolour)
      clearTimeout(this.#restTimer)
      cancelAnimationFrame(this.#frameRequest)
    }
  }

  close(): void {
    this.#stop()
  }

  /** Draws another scene; the view stays unless the plane is another one. */
  show(scene: Scene): void {
    const isSame = this.#scene !== undefined && sameBox(this.#scene.box, scene.box)
    this.#scene = scene
    if (!isSame) this.reset()
    else this.#draw()
  }

  /** All of it again. */
  reset(): void {
    if (this.#scene === undefined) return
    this.#isMoved = false
    this.#view = fitted(this.#scene.box, this.#frame(), this.#scene.isUniform)
    this.#rest()
    this.#draw()
  }

  zoom(by: number, x?: number, y?: number): void {
    const frame = this.#frame()
    const [atX, atY] = [x ?? frame.x + frame.width / 2, y ?? frame.y + frame.height / 2]
    this.#move((view) => zoomed(view, frame, by, atX, atY))
  }

  /** Where a place of the plane is on the canvas, in pixels of the page: what tests look for. */
  placeOf(x: number, y: number): readonly [number, number] | undefined {
    if (this.#view === undefined) return undefined
    const [a, , , d, e, f] = planeMatrix({ view: this.#view, frame: this.#frame(), density: 1 })
    return [a * x + e, d * y + f]
  }

  #move(change: (view: Viewport) => Viewport): void {
    if (this.#view === undefined) return
    this.#isMoved = true
    this.#view = change(this.#view)
    this.#rest()
    this.#draw()
  }

  #point(x: number, y: number): void {
    const raster = this.#scene?.pictures.at(-1)?.raster
    if (this.#scene === undefined || this.#view === undefined || raster === undefined) return
    const place = { view: this.#view, frame: this.#frame() }
    this.#listeners.onPoint(indexAt(this.#scene.placement, raster, place, x, y))
  }

  #rest(): void {
    clearTimeout(this.#restTimer)
    this.#restTimer = window.setTimeout(() => {
      if (this.#view === undefined) return
      const { scaleX, scaleY } = this.#view
      const density = devicePixelRatio
      this.#listeners.onRest(seenBox(this.#view, this.#frame()), [scaleX * density, scaleY * density])
    }, REST_MILLISECONDS)
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    this.#canvas.width = Math.max(1, Math.round(width * devicePixelRatio))
    this.#canvas.height = Math.max(1, Math.round(height * devicePixelRatio))
    if (this.#isMoved) {
      this.#rest()
      this.#paint()
    } else {
      this.reset()
      this.#paint()
    }
  }

  #frame(): Frame {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    const room = this.#scene?.labels === undefined ? WITHOUT : WITH_LABELS
    return {
      x: room.left,
      y: room.top,
      width: Math.max(1, width - room.left - room.right),
      height: Math.max(1, height - room.top - room.bottom),
    }
  }

  #draw(): void {
    cancelAnimationFrame(this.#frameRequest)
    this.#frameRequest = requestAnimationFrame(() => this.#paint())
  }

  #paint(): void {
    const context = this.#canvas.getContext('2d')
    if (context === null || this.#scene === undefined || this.#view === undefined) return
    const { placement, pictures, opacity, under, over, labels } = this.#scene
    const [view, frame, density] = [this.#view, this.#frame(), devicePixelRatio]
    const style = getComputedStyle(this.#canvas)
    const colours = { ink: style.color, paper: style.getPropertyValue('--paper') }
    context.setTransform(density, 0, 0, density, 0, 0)
    context.clearRect(0, 0, this.#canvas.clientWidth, this.#canvas.clientHeight)
    context.save()
    context.beginPath()
    context.rect(frame.x, frame.y, frame.width, frame.height)
    context.clip()
    under?.(context, { view, frame, ...colours })
    context.globalAlpha = opacity
    for (const picture of pictures) drawPicture(context, picture, placement, { view, frame, density })
    context.globalAlpha = 1
    over?.(context, { view, frame, ...colours })
    context.restore()
    if (labels !== undefined && placement.kind === 'even')
      drawAxes(context, { labels, placement, view, frame, ...colours })
  }
}

function sameBox(one: Box, other: Box): boolean {
  return one.left === other.left && one.right === other.right && one.top === other.top && one.bottom === other.bottom
}
