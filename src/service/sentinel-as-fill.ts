import type { Diagnostic, VirtualArray } from '../model/virtual-store.ts'

/** `missing=fill` (FV-19): the sentinel as `fill_value`, where every chunk is stored, so that no value read can change. */
export async function withSentinelAsFill(
  array: VirtualArray,
  path: string,
  warn: (diagnostic: Diagnostic) => void,
): Promise<VirtualArray> {
  const sentinel = array.sentinels.fillValue ?? array.sentinels.missingValue
  if (sentinel === undefined) return array
  if ((await array.chunks.isComplete?.()) === true)
    return { ...array, fillValue: sentinel, fillOrigin: 'the sentinel (missing=fill)' }
  warn({
    code: 'fill-not-granted',
    message:
      'missing=fill is not granted: it is not known that every chunk is stored, so the array keeps its own fill value',
    path,
  })
  return array
}
