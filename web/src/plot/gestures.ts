/** What a person does to a picture, whatever they do it with. */
export interface Gestures {
  pan(x: number, y: number): void
  /** Around a place of the canvas; undefined is its middle. */
  zoom(by: number, x?: number, y?: number): void
  point(x: number, y: number): void
  leave(): void
  reset(): void
}

const STEP = 48
const NEARER = 1.5

/** Listens to mouse, fingers, wheel and keys; returns how to stop that. */
export function listenTo(canvas: HTMLCanvasElement, gestures: Gestures): () => void {
  const stop = new AbortController()
  const options = { signal: stop.signal }
  const fingers = new Map<number, { x: number; y: number }>()
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      fingers.set(event.pointerId, placeOf(event))
      canvas.setPointerCapture(event.pointerId)
    },
    options,
  )
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const before = fingers.get(event.pointerId)
      const now = placeOf(event)
      if (before === undefined) return gestures.point(now.x, now.y)
      const [other] = [...fingers].flatMap(([id, place]) => (id === event.pointerId ? [] : [place]))
      if (other === undefined) gestures.pan(now.x - before.x, now.y - before.y)
      else pinch(gestures, before, now, other)
      fingers.set(event.pointerId, now)
    },
    options,
  )
  const lift = (event: PointerEvent) => fingers.delete(event.pointerId)
  canvas.addEventListener('pointerup', lift, options)
  canvas.addEventListener('pointercancel', lift, options)
  canvas.addEventListener('pointerleave', () => gestures.leave(), options)
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      gestures.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), event.offsetX, event.offsetY)
    },
    { ...options, passive: false },
  )
  canvas.addEventListener('dblclick', (event) => gestures.zoom(2, event.offsetX, event.offsetY), options)
  canvas.addEventListener(
    'keydown',
    (event) => {
      const act = KEYS[event.key]
      if (act === undefined || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      act(gestures)
    },
    options,
  )
  return () => stop.abort()
}

const KEYS: Readonly<Record<string, (gestures: Gestures) => void>> = {
  ArrowLeft: (gestures) => gestures.pan(STEP, 0),
  ArrowRight: (gestures) => gestures.pan(-STEP, 0),
  ArrowUp: (gestures) => gestures.pan(0, STEP),
  ArrowDown: (gestures) => gestures.pan(0, -STEP),
  '+': (gestures) => gestures.zoom(NEARER),
  '=': (gestures) => gestures.zoom(NEARER),
  '-': (gestures) => gestures.zoom(1 / NEARER),
  '0': (gestures) => gestures.reset(),
}

interface Place {
  readonly x: number
  readonly y: number
}

function pinch(gestures: Gestures, before: Place, now: Place, other: Place): void {
  const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)]
  if (was > 0) gestures.zoom(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2)
}

function placeOf(event: PointerEvent): Place {
  return { x: event.offsetX, y: event.offsetY }
}
