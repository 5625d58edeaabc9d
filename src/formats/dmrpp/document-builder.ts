import { malformed, overLimit } from '../../errors.ts'
import {
  type DmrAttribute,
  type DmrDocument,
  type DmrEnumeration,
  type DmrGroup,
  type DmrVariable,
  emptyStorage,
  qualifiedName,
} from './document.ts'
import type { ElementAttributes } from './element-attributes.ts'
import { type Building, type Frame, OTHER } from './frame.ts'
import { inlineBudget } from './inline-budget.ts'
import { textValue } from './text-values.ts'
import { openInVariable } from './variable-elements.ts'

const TYPES: ReadonlySet<string> = new Set([
  ...['Byte', 'Char', 'Int8', 'UInt8', 'Int16', 'UInt16', 'Int32', 'UInt32', 'Int64', 'UInt64', 'Float32', 'Float64'],
  ...['String', 'URL', 'URI', 'Url', 'Enum', 'Opaque', 'Structure', 'Sequence'],
])
const MOST_NODES = 500_000
/** A variable or a group costs as much as so many values. */
const NODE_COST = 20
const MOST_DEPTH = 100
const MOST_FILES = 100_000

/** Builds a document of its elements, as they come. */
export class DocumentBuilder implements Building {
  readonly spend = inlineBudget()
  readonly #stack: Frame[] = []
  readonly #root: DmrGroup = newGroup('', undefined)
  readonly #dimensions = new Map<string, number>()
  readonly #files = new Map<string, number>()
  #text: string[] | undefined
  #href: string | undefined
  #version: string | undefined
  #nodes = 0
  #isOpen = false

  open(name: string, attributes: ElementAttributes): void {
    if (this.#stack.length >= MOST_DEPTH) throw overLimit(`elements are nested more than ${MOST_DEPTH} deep`)
    const frame = this.#frameOf(name, attributes)
    this.#stack.push(frame)
    this.#text = frame.kind === 'text' ? [] : undefined
  }

  text(text: string): void {
    this.#text?.push(text)
  }

  close(): void {
    const frame = this.#stack.pop()
    if (frame?.kind === 'text') frame.take(this.#text?.join('') ?? '')
    if (frame?.kind === 'texts') frame.variable.storage.inline = { kind: 'texts', values: frame.values }
    this.#text = undefined
  }

  document(told: Pick<DmrDocument, 'hasLeadingText' | 'hasGuessedText'>): DmrDocument {
    if (!this.#isOpen) throw malformed('the document has no element Dataset')
    const chunkHrefs = [...this.#files.keys()]
    return { root: this.#root, href: this.#href, version: this.#version, chunkHrefs, ...told }
  }

  count(nodes = 1): void {
    this.#nodes += nodes
    if (this.#nodes > MOST_NODES) throw overLimit(`the document describes more than ${MOST_NODES} things`)
  }

  fileOf(href: string | undefined): number {
    if (href === undefined || href === this.#href) return 0
    const known = this.#files.get(href)
    if (known !== undefined) return known
    const number = this.#files.size + 1
    if (number > MOST_FILES) throw overLimit(`chunks name more than ${MOST_FILES} files`)
    this.#files.set(href, number)
    return number
  }

  dimensionLength(group: DmrGroup, name: string): number | undefined {
    if (name.startsWith('/')) return this.#dimensions.get(name.slice(1))
    for (let scope: DmrGroup | undefined = group; scope !== undefined; scope = scope.parent) {
      const length = this.#dimensions.get(qualifiedName(scope, name))
      if (length !== undefined) return length
    }
    return undefined
  }

  #frameOf(name: string, attributes: ElementAttributes): Frame {
    const parent = this.#stack.at(-1)
    if (parent === undefined) return this.#openDataset(name, attributes)
    switch (parent.kind) {
      case 'group':
        return this.#openInGroup(parent.group, name, attributes)
      case 'variable':
        if (name === 'Attribute') return this.#openAttribute(parent.variable.attributes, attributes)
        if (TYPES.has(name)) return this.#openVariable(parent.variable.fields, parent.variable.group, name, attributes)
        return openInVariable(parent.variable, name, attributes, this)
      case 'enumeration':
        return this.#openInEnumeration(parent.enumeration, name, attributes)
      case 'attribute':
        return this.#openInAttribute(parent.attribute, name, attributes)
      case 'texts':
        return name === 'v' ? textValue(parent.values, parent.variable, attributes, this) : OTHER
      case 'text':
      case 'other':
        return OTHER
    }
  }

  #openDataset(name: string, attributes: ElementAttributes): Frame {
    if (name !== 'Dataset') throw malformed(`the document is an element ${name}, expected Dataset`)
    this.#isOpen = true
    this.#href = attributes.get('href')
    this.#version = attributes.get('version')
    return { kind: 'group', group: this.#root }
  }

  #openInGroup(group: DmrGroup, name: string, attributes: ElementAttributes): Frame {
    switch (name) {
      case 'Group': {
        this.count(NODE_COST)
        const child = newGroup(attributes.get('name') ?? '', group)
        group.groups.push(child)
        return { kind: 'group', group: child }
      }
      case 'Dimension':
        this.#declareDimension(group, attributes)
        return OTHER
      case 'Enumeration': {
        this.count()
        const enumeration: DmrEnumeration = { baseType: attributes.get('basetype') ?? '', names: [], values: [] }
        group.enumerations.set(attributes.get('name') ?? '', enumeration)
        return { kind: 'enumeration', enumeration }
      }
      case 'Attribute':
        return this.#openAttribute(group.attributes, attributes)
    }
    return TYPES.has(name) ? this.#openVariable(group.variables, group, name, attributes) : OTHER
  }

  #declareDimension(group: DmrGroup, attributes: ElementAttributes): void {
    this.count()
    const name = attributes.get('name') ?? ''
    const length = Number(attributes.get('size') ?? Number.NaN)
    if (!Number.isSafeInteger(length) || length < 0) {
      throw malformed(`dimension ${qualifiedName(group, name)} has the size ${attributes.get('size')}`)
    }
    group.dimensions.set(name, length)
    this.#dimensions.set(qualifiedName(group, name), length)
  }

  #openVariable(into: DmrVariable[], group: DmrGroup, type: string, attributes: ElementAttributes): Frame {
    this.count(NODE_COST)
    const variable: DmrVariable = {
      name: attributes.get('name') ?? '',
      group,
      type,
      enumeration: attributes.get('enum'),
      dimensions: [],
      maps: [],
      attributes: [],
      fields: [],
      storage: emptyStorage(),
    }
    into.push(variable)
    return { kind: 'variable', variable }
  }

  #openAttribute(into: DmrAttribute[], attributes: ElementAttributes): Frame {
    this.count()
    const value = attributes.get('value')
    const attribute: DmrAttribute = {
      name: attributes.get('name') ?? '',
      type: attributes.get('type') ?? '',
      values: value === undefined ? [] : [value],
      members: [],
    }
    into.push(attribute)
    return { kind: 'attribute', attribute }
  }

  #openInAttribute(attribute: DmrAttribute, name: string, attributes: ElementAttributes): Frame {
    if (name === 'Attribute') return this.#openAttribute(attribute.members, attributes)
    if (name !== 'Value') return OTHER
    this.count()
    const value = attributes.get('value')
    if (value === undefined) return { kind: 'text', take: (text) => void attribute.values.push(text) }
    attribute.values.push(value)
    return OTHER
  }

  #openInEnumeration(enumeration: DmrEnumeration, name: string, attributes: ElementAttributes): Frame {
    const value = attributes.get('value') ?? ''
    if (name !== 'EnumConst' || !/^[+-]?\d{1,20}$/.test(value)) return OTHER
    this.count()
    enumeration.names.push(attributes.get('name') ?? '')
    enumeration.values.push(BigInt(value))
    return OTHER
  }
}

function newGroup(name: string, parent: DmrGroup | undefined): DmrGroup {
  return {
    name,
    path: parent === undefined ? '' : qualifiedName(parent, name),
    parent,
    dimensions: new Map(),
    enumerations: new Map(),
    attributes: [],
    variables: [],
    groups: [],
  }
}
