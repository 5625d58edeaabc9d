import { hdf5AnyText } from '../../codecs/hdf5/any-text.ts'
import { fixedText, type TextPadding } from '../../codecs/own/fixed-text.ts'
import { unsupported } from '../../errors.ts'
import { type DataType, itemSize } from '../../model/data-type.ts'
import { type Encoding, rawEncoding } from '../../model/encoding.ts'
import { isBooleanEnum } from '../hdf5-elements/enumerations.ts'
import { isText, numberType } from './dap-types.ts'
import type { DmrEnumeration, DmrGroup, DmrVariable } from './document.ts'
import { planRecord } from './record-plan.ts'

/** How an element is stored, and what it is served as. */
export interface ElementPlan {
  readonly dataType: DataType
  /** Codecs from the array to the bytes that filters work on. */
  readonly codecs: Encoding
  /** Bytes of a stored element; undefined where nothing is stored that has a fixed size. */
  readonly size: number | undefined
  /** Of an enum that is no boolean: what becomes `flag_values` and `flag_meanings`. */
  readonly enumeration?: DmrEnumeration | undefined
}

/** What the places of the values say about elements whose type has no size of its own. */
export interface StoredFacts {
  readonly endian: 'little' | 'big'
  /** Bytes of a stored element; undefined when nothing is stored, or only what is compressed. */
  readonly width: number | undefined
  readonly isStored: boolean
}

const PADDINGS: ReadonlyMap<string, TextPadding> = new Map([
  ['null_term', 'terminated'],
  ['null_pad', 'nul'],
  ['space_pad', 'space'],
])
/** HDF5 stores text of varying length as references of this size; sidecars of old writers don't tell them from text. */
const REFERENCE_SIZE = 16

/** Whether elements of a variable have no size of their own: it is told by how much is stored. */
export function isSized(type: string): boolean {
  return isText(type) || type === 'Opaque'
}

/** Throws `unsupported-feature` for what can't be served. */
export function planElement(variable: DmrVariable, facts: StoredFacts): ElementPlan {
  const { type } = variable
  const number = numberType(type)
  if (number !== undefined) return planNumber(number, facts.endian)
  if (isText(type)) return planText(variable, facts)
  switch (type) {
    case 'Enum':
      return planEnum(variable, facts.endian)
    case 'Opaque':
      if (facts.width === undefined || facts.width === 0)
        throw unsupported('DAP4 Opaque', 'opaque bytes of unknown size')
      return planOf({ kind: 'opaque', length: facts.width }, 'little')
    case 'Structure':
      return planRecord(variable, facts.endian)
  }
  throw unsupported(`DAP4 ${type}`, `variables of type ${type} are not served`)
}

function planNumber(dataType: DataType, endian: 'little' | 'big'): ElementPlan {
  return planOf(dataType, endian)
}

function planOf(dataType: DataType, endian: 'little' | 'big'): ElementPlan {
  const size = itemSize(dataType)
  return { dataType, codecs: rawEncoding(size === 1 ? 'little' : endian), size }
}

function planText({ storage }: DmrVariable, { width, isStored }: StoredFacts): ElementPlan {
  if (!isStored)
    return { dataType: { kind: 'string' }, codecs: [{ name: 'vlen-utf8', configuration: {} }], size: undefined }
  if (width === undefined) throw unsupported('DAP4 String', 'text of unknown length, stored compressed')
  if (width === 0) throw unsupported('DAP4 String', 'text of no length at all')
  if (storage.fixedText === undefined && storage.inline === undefined && width === REFERENCE_SIZE) {
    return { dataType: { kind: 'string' }, codecs: [hdf5AnyText.stored({})], size: width }
  }
  // A character alone has no room for padding.
  if (width === 1) return planOf({ kind: 'fixed-text', encoding: 'bytes', length: 1 }, 'little')
  // As all readers take it where nothing is said: C strings.
  const padding = PADDINGS.get(storage.fixedText?.padding ?? '') ?? 'terminated'
  return {
    dataType: { kind: 'fixed-text', encoding: 'bytes', length: width },
    codecs: [fixedText.stored({ encoding: 'bytes', length: width, padding }), ...rawEncoding('little')],
    size: width,
  }
}

function planEnum(variable: DmrVariable, endian: 'little' | 'big'): ElementPlan {
  const enumeration = findEnumeration(variable)
  if (enumeration === undefined)
    throw unsupported('DAP4 Enum', `the enumeration ${variable.enumeration} is not declared`)
  const base = numberType(enumeration.baseType)
  if (base === undefined || base.kind === 'float') {
    throw unsupported('DAP4 Enum', `an enumeration of ${enumeration.baseType}`)
  }
  const { names, values } = enumeration
  if (isBooleanEnum(names, values, itemSize(base) ?? 0)) return planOf({ kind: 'bool' }, 'little')
  return { ...planOf(base, endian), enumeration }
}

function findEnumeration({ enumeration = '', group }: DmrVariable): DmrEnumeration | undefined {
  if (!enumeration.startsWith('/')) {
    for (let scope: DmrGroup | undefined = group; scope !== undefined; scope = scope.parent) {
      const found = scope.enumerations.get(enumeration)
      if (found !== undefined) return found
    }
    return undefined
  }
  let scope: DmrGroup | undefined = group
  while (scope.parent !== undefined) scope = scope.parent
  const path = enumeration.slice(1).split('/')
  const name = path.pop() ?? ''
  for (const part of path) scope = scope?.groups.find((candidate) => candidate.name === part)
  return scope?.enumerations.get(name)
}
