import assert from 'node:assert/strict'
import type { StoredArray, VirtualArray } from '../../src/model/virtual-store.ts'

/** An array that a test expects to be there, and to be stored in chunks of its own. */
export function asStored(array: VirtualArray | undefined): StoredArray {
  assert.ok(array !== undefined && array.operation === undefined)
  return array
}
