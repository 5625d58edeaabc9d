/** Appends `length` bytes that begin `distance` back and may overlap what is being written; returns the new end. */
export function repeatBack(target: Uint8Array, to: number, distance: number, length: number): number {
  if (distance === 1) target.fill(target[to - 1] ?? 0, to, to + length)
  else if (distance >= length && length > 64) target.copyWithin(to, to - distance, to - distance + length)
  else for (let i = 0; i < length; i++) target[to + i] = target[to + i - distance] ?? 0
  return to + length
}
