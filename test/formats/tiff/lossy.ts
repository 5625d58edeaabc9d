import assert from 'node:assert/strict'

/** Decoders of lossy pictures differ in rounding and in how they spread colours: 8-bit samples, on average and at most. */
export function assertClose(
  values: Uint8Array,
  { reference, mean, most }: { readonly reference: Uint8Array; readonly mean: number; readonly most: number },
  what: string,
): void {
  assert.equal(values.length, reference.length, `${what}: length`)
  let sum = 0
  let largest = 0
  for (let i = 0; i < values.length; i++) {
    const difference = Math.abs((values[i] ?? 0) - (reference[i] ?? 0))
    sum += difference
    largest = Math.max(largest, difference)
  }
  assert.ok(sum / values.length <= mean, `${what}: differ by ${sum / values.length} on average, at most ${mean} may be`)
  assert.ok(largest <= most, `${what}: differ by up to ${largest}, at most ${most} may be`)
}
