import { typeInWords } from '../fill-value/in-words.ts'
import { composedArray } from '../model/composed-array.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { Diagnostic, Member, SkippedArray, VirtualArray, VirtualNode } from '../model/virtual-store.ts'
import { joinedPath } from './names.ts'
import { skipped } from './portable-context.ts'

type Warn = (diagnostic: Diagnostic) => void

/**
 * Arrays that have a mask, with NaN where it is zero: as floats, integers in the smallest that holds all of them. As in GDAL the
 * mask decides alone, and a nodata value marks nothing beside it. What has no mask stays as it is.
 */
export function withMasksApplied(root: VirtualNode, warn: Warn): Member {
  const masked = maskedMember(root, '', warn)
  if (masked === root)
    warn({ code: 'mask-absent', message: 'missing=mask: the source has no mask, nothing is changed' })
  return masked
}

function maskedMember(node: Member, path: string, warn: Warn): Member {
  if (node.kind === 'skipped') return node
  if (node.kind === 'array') return node.maskedBy === undefined ? node : maskedArray(node, node.maskedBy, path, warn)
  const members = new Map<string, Member>()
  let isChanged = false
  for (const [name, member] of node.members) {
    const masked = maskedMember(member, joinedPath(path, name), warn)
    isChanged ||= masked !== member
    members.set(name, masked)
  }
  return isChanged ? { ...node, members } : node
}

function maskedArray(
  array: VirtualArray,
  mask: VirtualArray | SkippedArray,
  path: string,
  warn: Warn,
): VirtualArray | SkippedArray {
  const dataType = typeWithNaN(array.dataType)
  if (dataType === undefined) return refused(`no float holds every ${typeInWords(array.dataType)}, and NaN`)
  if (mask.kind === 'skipped') return refused(`its mask is not served: ${mask.reason}`)
  if (mask.dataType.kind !== 'uint' || mask.dataType.bits !== 8) return refused('its mask is not of bytes or bits')
  const isFitting = mask.shape.length <= array.shape.length && endsWith(array.shape, mask.shape)
  if (!isFitting) return refused(`its mask has the shape ${mask.shape.join(' x ')}`)
  if (array.sentinels.fillValue !== undefined) {
    const message = 'missing=mask: the mask decides alone, as in GDAL; the nodata value marks no missing point'
    warn({ code: 'nodata-not-applied', message, path })
  }
  const missing = notANumber(dataType)
  const spec = {
    ...array,
    dataType,
    fillValue: missing,
    fillOrigin: 'the mask (missing=mask)',
    sentinels: { fillValue: missing, missingValue: undefined },
    maskedBy: undefined,
  }
  return composedArray(spec, { kind: 'mask', values: array, mask })
}

function refused(reason: string): SkippedArray {
  return skipped(`missing=mask: ${reason}; another value of the option missing serves the values as they are`)
}

function endsWith(shape: readonly number[], end: readonly number[]): boolean {
  return end.every((length, axis) => shape[shape.length - end.length + axis] === length)
}

/** The type of floats that holds all values of a type, and NaN besides; undefined where there is none. */
function typeWithNaN(type: DataType): DataType | undefined {
  if (type.kind === 'float' || type.kind === 'complex') return type
  if ((type.kind !== 'int' && type.kind !== 'uint') || type.bits === 64) return undefined
  return { kind: 'float', bits: type.bits === 32 ? 64 : 32 }
}

function notANumber({ kind }: DataType): Scalar {
  return kind === 'complex' ? { kind, value: [Number.NaN, Number.NaN] } : { kind: 'number', value: Number.NaN }
}
