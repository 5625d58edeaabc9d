import { isVirtualZarrError } from '../../errors.ts'
import { ChunkCollector } from './chunk-table.ts'
import type { DmrVariable } from './document.ts'
import type { ElementAttributes } from './element-attributes.ts'
import { type Building, type Frame, OTHER } from './frame.ts'
import { countFromText, countsFromText, gridPositionFromText } from './numbers.ts'

const MOST_DIMENSIONS = 32

/** What an element within a variable (or within its `dmrpp:chunks`) says. */
export function openInVariable(
  variable: DmrVariable,
  name: string,
  attributes: ElementAttributes,
  building: Building,
): Frame {
  const { storage } = variable
  switch (name) {
    case 'chunk':
      addChunk(variable, attributes, building)
      return OTHER
    case 'block':
      addBlock(variable, attributes, building)
      return OTHER
    case 'Dim':
      addDimension(variable, attributes, building)
      return OTHER
    case 'Map':
      building.count()
      variable.maps.push(attributes.get('name') ?? '')
      return OTHER
    case 'chunks':
      storage.chunks = attributes
      return { kind: 'variable', variable }
    case 'chunkDimensionSizes':
      return { kind: 'text', take: (text) => setChunkShape(variable, text) }
    case 'compact':
    case 'missingdata':
    case 'specialstructuredata':
      return {
        kind: 'text',
        take: (text) => {
          storage.inline = { kind: name, text }
        },
      }
    case 'vlsa':
      return { kind: 'texts', values: [], variable }
    case 'FixedLengthStringArray': {
      const length = countFromText(attributes.get('string_length'))
      if (length === undefined) storage.problem ??= 'text of fixed length whose length is not given'
      else storage.fixedText = { length, padding: attributes.get('pad') ?? '' }
      return OTHER
    }
  }
  return OTHER
}

function addDimension({ dimensions, group, storage }: DmrVariable, attributes: ElementAttributes, building: Building) {
  building.count()
  const name = attributes.get('name')
  const length = name === undefined ? countFromText(attributes.get('size')) : building.dimensionLength(group, name)
  if (length === undefined) {
    storage.problem ??= name === undefined ? 'a dimension without a size' : `the dimension ${name} is not declared`
  }
  if (storage.collected !== undefined) storage.problem ??= 'a dimension is given after chunks'
  if (dimensions.length >= MOST_DIMENSIONS) storage.problem ??= `more than ${MOST_DIMENSIONS} dimensions`
  else dimensions.push({ name, length: length ?? 0 })
}

function setChunkShape({ dimensions, storage }: DmrVariable, text: string): void {
  const sizes = countsFromText(text)
  if (sizes === undefined || sizes.includes(0)) {
    storage.problem ??= `chunkDimensionSizes is ${JSON.stringify(text.slice(0, 100))}, expected lengths`
  } else if (sizes.length !== dimensions.length) {
    storage.problem ??= `chunks of ${sizes.length} dimensions in an array of ${dimensions.length}`
  } else if (storage.collected !== undefined) {
    storage.problem ??= 'the shape of chunks is given after chunks'
  } else storage.chunkShape = sizes
}

function addChunk(variable: DmrVariable, attributes: ElementAttributes, building: Building): void {
  const { storage } = variable
  if (storage.problem !== undefined) return
  storage.chunkByteOrder ??= attributes.get('byteOrder')
  // A chunk that was never written, spelled out.
  if (attributes.has('fillValue') && !attributes.has('offset')) return
  const position = positionOf(variable, attributes.get('chunkPositionInArray'))
  if (position === undefined) {
    storage.problem ??= `chunkPositionInArray is ${attributes.get('chunkPositionInArray')}, which is no chunk of the array`
    return
  }
  const part = countFromText(attributes.get('LinkedBlockIndex'))
  addRow(variable, position, part, attributes, building)
}

/** Blocks are pieces of one chunk, which holds all values, in the order given. */
function addBlock(variable: DmrVariable, attributes: ElementAttributes, building: Building): void {
  if (variable.storage.problem === undefined) {
    addRow(variable, 0, variable.storage.collected?.count ?? 0, attributes, building)
  }
}

function addRow(
  { storage }: DmrVariable,
  position: number,
  part: number | undefined,
  attributes: ElementAttributes,
  building: Building,
): void {
  const offset = countFromText(attributes.get('offset'))
  const length = countFromText(attributes.get('nBytes'))
  const mask = attributes.has('fm') ? countFromText(attributes.get('fm')) : 0
  if (offset === undefined || length === undefined || !Number.isSafeInteger(offset + length)) {
    storage.problem ??= `a chunk is of ${attributes.get('nBytes')} bytes at ${attributes.get('offset')}`
    return
  }
  if (mask === undefined || mask >= 2 ** 32) {
    storage.problem ??= `a chunk has the filter mask ${attributes.get('fm')}`
    return
  }
  try {
    storage.collected ??= new ChunkCollector()
    storage.collected.add(position, { offset, length, file: building.fileOf(attributes.get('href')), mask }, part)
  } catch (error) {
    if (!isVirtualZarrError(error, 'limit-exceeded')) throw error
    storage.problem ??= error.message
  }
}

/** Without a shape of chunks all values are one. */
function positionOf({ dimensions, storage }: DmrVariable, text: string | undefined): number | undefined {
  if (text === undefined || storage.chunkShape === undefined) {
    const isFirst = text === undefined || /^[\s[\],0]*$/.test(text)
    return isFirst ? 0 : undefined
  }
  const shape = dimensions.map(({ length }) => length)
  return gridPositionFromText(text, shape, storage.chunkShape)
}
