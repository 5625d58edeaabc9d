import { unsupported } from '../../../errors.ts'
import type { DataType, StructField } from '../../../model/data-type.ts'
import type { StoredCodec } from '../../../model/encoding.ts'
import { type RecordRun, recordEncoding } from '../../hdf5-elements/records.ts'
import type { CompoundMember, Datatype } from '../messages/datatype.ts'
import { complexBits, complexPart, fixedText, ieeeBits, isBoolean, wholeBits } from './formats.ts'
import { isWideTime } from './times.ts'

type Compound = Extract<Datatype, { class: 'compound' }>

export interface RecordPlan {
  readonly dataType: DataType
  readonly codecs: readonly StoredCodec[]
  readonly runs: readonly RecordRun[]
  readonly dropped: readonly string[]
  /** Fields that are text of varying length: references to it, at these bytes of a record. */
  readonly texts: readonly TextField[]
}

export interface TextField {
  readonly name: string
  readonly offset: number
}

interface FieldPlan {
  readonly field: Omit<StructField, 'name'>
  readonly runs: readonly RecordRun[]
}

/** Nested records in arrays repeat their runs. */
const MOST_RUNS = 4096

/**
 * Records with the fields that have a fixed form. Where the file has gaps between them, fields of either byte order, or ones
 * that can't be served, `vz.repack` puts together what is left.
 */
export function planRecord(type: Compound): RecordPlan {
  const fields: StructField[] = []
  const runs: RecordRun[] = []
  const dropped: string[] = []
  const texts: TextField[] = []
  for (const member of type.members) {
    const isTaken = [...fields, ...texts].some(({ name }) => name === member.name)
    if (member.type.class === 'vlen-string' && !isTaken) {
      texts.push({ name: member.name, offset: member.offset })
      continue
    }
    const plan = planField(member)
    if (plan === undefined || isTaken) {
      dropped.push(member.name)
      continue
    }
    fields.push({ name: member.name, ...plan.field })
    runs.push(...plan.runs)
  }
  if (runs.length > MOST_RUNS) throw unsupported('HDF5 compound', `records of more than ${MOST_RUNS} parts`)
  if (fields.length === 0)
    throw unsupported(
      'HDF5 compound',
      `records of which no field can be served (${[...dropped, ...texts.map(({ name }) => name)].join(', ')})`,
    )
  return { dataType: { kind: 'structured', fields }, codecs: recordEncoding(type.size, runs), runs, dropped, texts }
}

/** Undefined for a field without a fixed form. */
function planField({ offset, type }: CompoundMember): FieldPlan | undefined {
  switch (type.class) {
    case 'integer':
    case 'bitfield': {
      // PyTables' are no integers: see `times.ts`.
      if (isWideTime(type)) return undefined
      const bits = wholeBits(type)
      const kind = type.class === 'integer' && type.signed ? 'int' : 'uint'
      return bits === undefined ? undefined : oneOf({ kind, bits }, offset, type.size, type.endian === 'big')
    }
    case 'float': {
      const bits = ieeeBits(type)
      return bits === undefined ? undefined : oneOf({ kind: 'float', bits }, offset, type.size, type.endian === 'big')
    }
    case 'enum': {
      const plan = planField({ name: '', offset, type: type.base })
      return plan !== undefined && isBoolean(type) ? { ...plan, field: { type: { kind: 'bool' } } } : plan
    }
    case 'string':
      return oneOf(fixedText(type), offset, type.size, false)
    case 'opaque':
      return oneOf({ kind: 'opaque', length: type.size }, offset, type.size, false)
    case 'complex':
      return complexField(type, offset)
    case 'array':
      return arrayField(type, offset)
    case 'compound':
      return recordField(type, offset)
    case 'vlen':
    case 'vlen-string':
    case 'reference':
      return undefined
  }
}

/** Text and opaque bytes are one run of single bytes. */
function oneOf(type: DataType, offset: number, size: number, isBig: boolean): FieldPlan {
  const isNumber = type.kind === 'int' || type.kind === 'uint' || type.kind === 'float'
  const run: RecordRun = isNumber ? { offset, size, count: 1, isBig } : { offset, size: 1, count: size, isBig: false }
  return { field: { type }, runs: [run] }
}

function complexField(type: Datatype, offset: number): FieldPlan | undefined {
  const part = complexPart(type)
  const bits = part === undefined ? undefined : complexBits(part)
  if (part === undefined || bits === undefined) return undefined
  const run: RecordRun = { offset, size: part.size, count: 2, isBig: part.endian === 'big' }
  return { field: { type: { kind: 'complex', bits } }, runs: [run] }
}

function arrayField(type: Extract<Datatype, { class: 'array' }>, offset: number): FieldPlan | undefined {
  const count = type.size / type.base.size
  const first = planField({ name: '', offset, type: type.base })
  if (first === undefined) return undefined
  const [run] = first.runs
  const field = { type: first.field.type, shape: [...type.shape, ...(first.field.shape ?? [])] }
  if (first.runs.length === 1 && run !== undefined && run.size * run.count === type.base.size) {
    return { field, runs: [{ ...run, count: run.count * count }] }
  }
  if (count * first.runs.length > MOST_RUNS) return undefined
  const runs = Array.from({ length: count }, (_, i) => moved(first.runs, i * type.base.size)).flat()
  return { field, runs }
}

function moved(runs: readonly RecordRun[], by: number): RecordRun[] {
  return runs.map((run) => ({ ...run, offset: run.offset + by }))
}

function recordField(type: Compound, offset: number): FieldPlan | undefined {
  const complex = complexField(type, offset)
  if (complex !== undefined) return complex
  const fields: StructField[] = []
  const runs: RecordRun[] = []
  for (const member of type.members) {
    const plan = planField(member)
    // A nested record with a part missing would be another one.
    if (plan === undefined) return undefined
    fields.push({ name: member.name, ...plan.field })
    runs.push(...moved(plan.runs, offset))
  }
  return { field: { type: { kind: 'structured', fields } }, runs }
}
