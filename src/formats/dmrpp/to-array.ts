import { inlineTexts } from '../../codecs/own/inline-texts.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { scalarFromText } from '../../fill-value/from-text.ts'
import { integerJson } from '../../fill-value/numbers.ts'
import { attributeSentinel } from '../../fill-value/raw-sentinel.ts'
import { type ReadSentinels, sentinelsAmong, withoutSentinels } from '../../fill-value/sentinels.ts'
import { dataDimensions } from '../../model/characters.ts'
import type { DataType } from '../../model/data-type.ts'
import { itemSize, type Scalar, type StructField, zeroOf } from '../../model/data-type.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import { elementCount } from '../../model/shape.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import type { AttributeValue, Member, VirtualArray } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { flagAttributes } from '../hdf5-elements/enumerations.ts'
import { attributesOf } from './attributes.ts'
import { isText } from './dap-types.ts'
import { type DmrVariable, dimensionNamesOf, qualifiedName } from './document.ts'
import type { ElementPlan } from './element-plan.ts'
import { wordsOf } from './numbers.ts'
import { recordGroup } from './record-group.ts'
import type { PlacedVariable } from './storage.ts'
import { type DocumentWorld, placeVariable } from './storage.ts'

/** The array of a variable; one that can't be served is listed, and costs the others nothing. */
export function memberOf(variable: DmrVariable, world: DocumentWorld): Member {
  const path = qualifiedName(variable.group, variable.name)
  const place: ErrorContext = { url: world.url, format: 'dmrpp', path }
  try {
    const { inline } = variable.storage
    if (inline?.kind === 'texts') return textArray(variable, inline.values, path, world.context)
    if (inline?.kind === 'specialstructuredata') return recordGroup(variable, inline.text, path, world)
    return arrayOf(variable, path, place, world)
  } catch (error) {
    return skippedArray(error, dataDimensions(dimensionNamesOf(variable), isText(variable.type)))
  }
}

function arrayOf(variable: DmrVariable, path: string, place: ErrorContext, world: DocumentWorld): VirtualArray {
  const { context } = world
  const placed = placeVariable(variable, world, place)
  const fill = fillOf(variable, placed, path, context)
  const values = attributesOf(variable.attributes, path, context)
  const read = sentinelsOf(values, placed.plan.dataType, path, context)
  return {
    kind: 'array',
    shape: placed.shape,
    chunkShape: placed.chunkShape,
    dataType: placed.plan.dataType,
    ...fill,
    sentinels: read.sentinels,
    attributes: servedAttributes(values, read, placed.plan),
    dimensionNames: dimensionNamesOf(variable),
    encodings: placed.encodings,
    edges: placed.edges,
    chunks: placed.chunks,
  }
}

/** `vlsa`: text of any length, one chunk within the document. */
function textArray(variable: DmrVariable, texts: readonly string[], path: string, context: ParseContext): VirtualArray {
  if (variable.storage.problem !== undefined) throw malformed(variable.storage.problem)
  if (!isText(variable.type)) throw malformed(`a vlsa in a variable of type ${variable.type}`)
  const shape = variable.dimensions.map(({ length }) => length)
  const count = elementCount(shape)
  if (texts.length !== count) throw malformed(`a vlsa of ${texts.length} texts in an array of ${count}`)
  const attributes = attributesOf(variable.attributes, path, context)
  const dimensionNames = dimensionNamesOf(variable)
  return { ...inlineTexts(texts, shape), attributes: withoutSentinels(attributes), dimensionNames }
}

/** What marks a missing point (FV-DMRPP-2). */
function sentinelsOf(
  values: ReadonlyMap<string, AttributeValue>,
  dataType: DataType,
  path: string,
  context: ParseContext,
): ReadSentinels {
  const isAsterisk = values.get('_FillValue') === '*' && 'bits' in dataType
  const fillValue = isAsterisk ? attributeSentinel(Number.NaN) : undefined
  return sentinelsAmong(values, { dataType, path, fillValue }, context)
}

function servedAttributes(
  values: ReadonlyMap<string, AttributeValue>,
  read: ReadSentinels,
  { enumeration }: ElementPlan,
): ReadonlyMap<string, AttributeValue> {
  const served = withoutSentinels(values, read)
  if (enumeration === undefined || served.has('flag_values')) return served
  return new Map([...served, ...flagAttributes(enumeration.names, enumeration.values.map(integerJson))])
}

type Fill = Pick<VirtualArray, 'fillValue' | 'fillOrigin'>

/** What a writer puts where it can't say the value. */
const UNSUPPORTED = /^unsupported/

/** FV-DMRPP-1: the attribute `fillValue` of the chunks, in the type of the variable; else the zero of the type, and a word about it. */
function fillOf(variable: DmrVariable, placed: PlacedVariable, path: string, { warn }: ParseContext): Fill {
  const { dataType } = placed.plan
  const zero: Fill = { fillValue: zeroOf(dataType), fillOrigin: 'zero: the sidecar says none' }
  const text = variable.storage.chunks?.get('fillValue')
  if (text === undefined) {
    const message = 'the sidecar gives no fill value: chunks that were never written read as zero'
    if (placed.showsFill) warn({ code: 'fill-unknown', message, path })
    return zero
  }
  const fillValue = UNSUPPORTED.test(text) ? undefined : scalarOf(text, dataType)
  if (fillValue !== undefined) return { fillValue, fillOrigin: 'attribute fillValue of dmrpp:chunks' }
  if (placed.showsFill) {
    const message = `the fill value is ${JSON.stringify(text.slice(0, 100))}, no value of the type: zero is taken`
    warn({ code: 'fill-unusable', message, path, values: [text.slice(0, 100)] })
  }
  return { ...zero, fillOrigin: 'zero: the sidecar gives no value of the type' }
}

function scalarOf(text: string, type: DataType): Scalar | undefined {
  if (type.kind === 'structured') return recordOf(text, type)
  const read = scalarFromText(text, type)
  return read.kind === 'ok' ? read.value : undefined
}

/** One word for each number of a record, or one for all. */
function recordOf(text: string, type: Extract<DataType, { readonly kind: 'structured' }>): Scalar | undefined {
  const words = wordsOf(text)
  const counts = type.fields.map(countOf)
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (words.length !== 1 && words.length !== total) return undefined
  const record = new Uint8Array(itemSize(type) ?? 0)
  let at = 0
  let word = 0
  for (const [index, field] of type.fields.entries()) {
    for (let i = 0; i < (counts[index] ?? 0); i++, word++) {
      const scalar = scalarOf(words[words.length === 1 ? 0 : word] ?? '', field.type)
      if (scalar === undefined) return undefined
      const bytes = scalarToBytes(scalar, field.type)
      record.set(bytes, at)
      at += bytes.length
    }
  }
  return { kind: 'bytes', value: record }
}

function countOf({ shape }: StructField): number {
  return elementCount(shape ?? [])
}
