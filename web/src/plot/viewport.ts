/** Six numbers as canvases have them: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** A rectangle of the plane, y downwards as on screens. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Which part of the plane is seen: the point at the upper left of the picture, and pixels for each unit. */
export interface Viewport {
  readonly left: number
  readonly top: number
  readonly scaleX: number
  readonly scaleY: number
}

/** Where on the canvas the picture is: around it is room for labels. */
export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The viewport that shows all of a box; both ways at one scale, or each filled. */
export function fitted(box: Box, frame: Frame, isUniform: boolean): Viewport {
  const [width, height] = [box.right - box.left || 1, box.bottom - box.top || 1]
  const filling = { x: frame.width / width, y: frame.height / height }
  const one = Math.min(filling.x, filling.y)
  const [scaleX, scaleY] = isUniform ? [one, one] : [filling.x, filling.y]
  return {
    left: box.left - (frame.width / scaleX - width) / 2,
    top: box.top - (frame.height / scaleY - height) / 2,
    scaleX,
    scaleY,
  }
}

export function panned(view: Viewport, pixelsX: number, pixelsY: number): Viewport {
  return { ...view, left: view.left - pixelsX / view.scaleX, top: view.top - pixelsY / view.scaleY }
}

/** Nearer or farther, around a point of the canvas that stays where it is. */
export function zoomed(view: Viewport, frame: Frame, by: number, x: number, y: number): Viewport {
  const [atX, atY] = toPlane(view, frame, x, y)
  const [scaleX, scaleY] = [view.scaleX * by, view.scaleY * by]
  return { left: atX - (x - frame.x) / scaleX, top: atY - (y - frame.y) / scaleY, scaleX, scaleY }
}

export function toPlane(view: Viewport, frame: Frame, x: number, y: number): readonly [number, number] {
  return [view.left + (x - frame.x) / view.scaleX, view.top + (y - frame.y) / view.scaleY]
}

export function toScreen(view: Viewport, frame: Frame, x: number, y: number): readonly [number, number] {
  return [frame.x + (x - view.left) * view.scaleX, frame.y + (y - view.top) * view.scaleY]
}

/** What of the plane is seen. */
export function seenBox(view: Viewport, frame: Frame): Box {
  const { left, top } = view
  return { left, top, right: left + frame.width / view.scaleX, bottom: top + frame.height / view.scaleY }
}

/** The first applied after the second. */
export function times(one: Matrix, two: Matrix): Matrix {
  const [a, b, c, d, e, f] = one
  const [g, h, i, j, k, l] = two
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const size = a * d - b * c
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size]
}

export function applied([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** The box around a rectangle that a matrix moves. */
export function boxOf(matrix: Matrix, width: number, height: number): Box {
  const corners = [
    applied(matrix, 0, 0),
    applied(matrix, width, 0),
    applied(matrix, 0, height),
    applied(matrix, width, height),
  ]
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

export interface DrawingPlace {
  readonly view: Viewport
  readonly frame: Frame
  /** Device pixels for each pixel of the page. */
  readonly density: number
}

/** From the plane to the canvas, in device pixels. */
export function planeMatrix({ view, frame, density }: DrawingPlace): Matrix {
  const { scaleX, scaleY, left, top } = view
  return [
    scaleX * density,
    0,
    0,
    scaleY * density,
    (frame.x - left * scaleX) * density,
    (frame.y - top * scaleY) * density,
  ]
}
