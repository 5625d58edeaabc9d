import { malformed } from '../../errors.ts'
import { encodingGuessed } from '../../model/guessed-text.ts'
import { after, afterAll } from '../../model/recent-parts.ts'
import { unlessBroken } from '../../model/skipped-array.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { isGroup, readLinks } from './groups.ts'
import { type AttributeMessage, parseAttribute } from './messages/attribute.ts'
import { type DataLayout, parseDataLayout } from './messages/data-layout.ts'
import { countOf, type Dataspace, parseDataspace } from './messages/dataspace.ts'
import { type Datatype, parseDatatype } from './messages/datatype.ts'
import { type ExternalFiles, readExternalFiles } from './messages/external-files.ts'
import { type FillValue, parseFillValue, parseOldFillValue } from './messages/fill-value.ts'
import { type Filter, parseFilterPipeline } from './messages/filter-pipeline.ts'
import { type Link, parseAttributeInfo } from './messages/link.ts'
import { readAllRecords, readBtreeV2 } from './structures/btree-v2.ts'
import type { FileCursor } from './structures/file-cursor.ts'
import { openFractalHeap, readHeapObject } from './structures/fractal-heap.ts'
import { cursorOver, type Placed } from './structures/hdf5-file.ts'
import { type HeaderMessage, readObjectHeader } from './structures/object-header.ts'
import { type MessageReader, resolveMessage } from './structures/shared-message.ts'

/** An attribute as stored: its values may be in heaps still. */
export interface Attribute {
  readonly name: string
  /** Its name is not UTF-8. */
  readonly isGuessed: boolean
  readonly type: Datatype
  readonly space: Dataspace
  readonly data: Uint8Array
}

export interface Dataset {
  readonly type: Datatype
  readonly space: Dataspace
  readonly layout: DataLayout
  readonly filters: readonly Filter[]
  readonly fill: FillValue
  readonly external: ExternalFiles | undefined
}

/** What an address holds. */
export type FileObject =
  | {
      readonly kind: 'group'
      readonly address: number
      readonly attributes: readonly Attribute[]
      readonly links: readonly Link[]
    }
  | {
      readonly kind: 'dataset'
      readonly address: number
      readonly attributes: readonly Attribute[]
      readonly dataset: Dataset
    }
  | { readonly kind: 'datatype'; readonly address: number }

const DATASPACE = 0x01
const DATATYPE = 0x03
const OLD_FILL = 0x04
const FILL = 0x05
const EXTERNAL_FILES = 0x07
const LAYOUT = 0x08
const FILTERS = 0x0b
const ATTRIBUTE = 0x0c
const ATTRIBUTE_INFO = 0x15
/** B-tree records: the heap ID (8 bytes), then flags, creation order and hash. */
const ATTRIBUTE_NAMES = 8
const HEAP_ID_BYTES = 8
const MOST_ATTRIBUTES = 65_536

/** Reads the object at an address, with its attributes; one attribute that can't be read costs only itself. */
export async function readObject(
  reader: MessageReader,
  address: number,
  warn: (diagnostic: Diagnostic) => void,
): Promise<FileObject> {
  const messages = await readObjectHeader(reader.file, address, reader.signal)
  if (isGroup(messages)) {
    const [links, attributes] = await Promise.all([
      readLinks(reader.file, messages, reader.signal),
      readAttributes(reader, messages, warn),
    ])
    const guessed = links.filter(({ isGuessed }) => isGuessed).map(({ name }) => name)
    if (guessed.length > 0) warn(encodingGuessed('name', `the name of ${guessed.join(', ')}`, undefined, guessed))
    return { kind: 'group', address, attributes, links }
  }
  if (!messages.some(({ type }) => type === DATASPACE)) {
    if (messages.some(({ type }) => type === DATATYPE)) return { kind: 'datatype', address }
    throw malformed('an object that is neither a group nor a dataset nor a datatype', {
      offset: reader.file.base + address,
    })
  }
  const [dataset, attributes] = await Promise.all([
    readDataset(reader, messages),
    readAttributes(reader, messages, warn),
  ])
  return { kind: 'dataset', address, attributes, dataset }
}

async function readDataset(reader: MessageReader, messages: readonly HeaderMessage[]): Promise<Dataset> {
  const { file } = reader
  const find: Find = (type) => {
    const message = messages.find((candidate) => candidate.type === type)
    return message === undefined
      ? undefined
      : after(resolveMessage(reader, type, message), (body) => cursorOver(file, body))
  }
  const needed = async (type: number, what: string) => {
    const cursor = await find(type)
    if (cursor === undefined) throw malformed(`a dataset without ${what}`)
    return cursor
  }
  const type = parseDatatype(await needed(DATATYPE, 'a datatype'))
  const space = parseDataspace(await needed(DATASPACE, 'a dataspace'))
  const layout = parseDataLayout(await needed(LAYOUT, 'a layout'))
  const filters = await find(FILTERS)
  const external = await find(EXTERNAL_FILES)
  return {
    type,
    space,
    layout,
    filters: filters === undefined ? [] : parseFilterPipeline(filters),
    fill: await readFill(find),
    external: external === undefined ? undefined : await readExternalFiles(file, external, reader.signal),
  }
}

/** A message of an object's header, where it has one of that type. */
type Find = (type: number) => FileCursor | undefined | Promise<FileCursor>

async function readFill(find: Find): Promise<FillValue> {
  const fill = await find(FILL)
  if (fill !== undefined) return parseFillValue(fill)
  const old = await find(OLD_FILL)
  return old === undefined ? { state: 'default' } : parseOldFillValue(old)
}

async function readAttributes(
  reader: MessageReader,
  messages: readonly HeaderMessage[],
  warn: (diagnostic: Diagnostic) => void,
): Promise<readonly Attribute[]> {
  const compact: readonly (Placed & { readonly flags: number })[] = messages.filter(({ type }) => type === ATTRIBUTE)
  const info = messages.find(({ type }) => type === ATTRIBUTE_INFO)
  const guard: Guard = (read) => unlessBroken(read, (error) => warn(unreadable(error)))
  const inHeader = await afterAll(compact.map((message) => guard(() => readAttribute(reader, message))))
  const dense = info === undefined ? [] : await guard(() => readDenseAttributes(reader, info, guard))
  return [...inHeader, ...(dense ?? [])].filter((attribute) => attribute !== undefined)
}

type Guard = <Value>(read: () => Value | Promise<Value>) => Value | undefined | Promise<Value | undefined>

function unreadable({ message }: Error): Diagnostic {
  return { code: 'attribute-unreadable', message: `an attribute can't be read: ${message}` }
}

async function readDenseAttributes(
  reader: MessageReader,
  info: HeaderMessage,
  guard: Guard,
): Promise<readonly (Attribute | undefined)[]> {
  const { file, signal } = reader
  const dense = parseAttributeInfo(cursorOver(file, info))
  if (dense === undefined) return []
  const [heap, tree] = await Promise.all([
    openFractalHeap(file, dense.heap, signal),
    readBtreeV2(file, dense.names, [ATTRIBUTE_NAMES], signal),
  ])
  if (tree.total > MOST_ATTRIBUTES) throw malformed(`an object of ${tree.total} attributes`)
  const records = (await readAllRecords(file, tree, signal)).map((record) => {
    const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
    return { record, order: view.getUint32(HEAP_ID_BYTES + 1, true) }
  })
  records.sort((a, b) => a.order - b.order)
  return await Promise.all(
    records.map(({ record }) =>
      guard(async () => {
        const flags = record[HEAP_ID_BYTES] ?? 0
        const id = record.subarray(0, HEAP_ID_BYTES)
        // A shared attribute is in the heap that all objects share.
        const from = (flags & 2) === 0 ? heap : (reader.heaps.get(ATTRIBUTE) ?? heap)
        const bytes = await readHeapObject(from, id, signal)
        return await readAttribute(reader, { bytes, offset: file.base + dense.heap, flags: 0 })
      }),
    ),
  )
}

/** At once where nothing of it is shared: most files have thousands that aren't. */
function readAttribute(
  reader: MessageReader,
  message: Placed & { readonly flags: number },
): Attribute | Promise<Attribute> {
  const { file } = reader
  return after(resolveMessage(reader, ATTRIBUTE, message), (body) => {
    file.budget.spend(64 + body.bytes.length)
    const parsed = parseAttribute(cursorOver(file, body))
    return after(resolveMessage(reader, DATATYPE, parsed.type), (type) =>
      after(resolveMessage(reader, DATASPACE, parsed.space), (space) =>
        attributeOf(parsed, parseDatatype(cursorOver(file, type)), parseDataspace(cursorOver(file, space)), message),
      ),
    )
  })
}

function attributeOf(parsed: AttributeMessage, type: Datatype, space: Dataspace, { offset }: Placed): Attribute {
  const needed = countOf(space) * type.size
  if (needed > parsed.data.length) {
    throw malformed(`attribute ${parsed.name} has ${parsed.data.length} bytes, its type and shape need ${needed}`, {
      offset,
    })
  }
  const { name, isGuessed } = parsed
  return { name, isGuessed, type, space, data: parsed.data.subarray(0, needed).slice() }
}
