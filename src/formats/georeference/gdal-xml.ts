import { SaxesParser } from 'saxes'
import { malformed, overLimit } from '../../errors.ts'
import { turn } from '../../turns.ts'

/** An element of a document. Names are compared as GDAL does: without regard to case. */
export interface XmlElement {
  readonly name: string
  /** In their order. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its text; undefined where it has none, or has anything but one piece of text: GDAL reads no value there. */
  readonly text: string | undefined
}

const MOST_DEPTH = 32

interface OpenElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string | undefined
  /** Pieces of text, elements, comments and instructions. */
  nodes: number
}

/** Characters that are parsed between two chances for other requests: a few milliseconds. */
const PIECE_CHARACTERS = 65_536

/** Reads a document of GDAL; throws for what is no XML, or has more elements than that. Entities of its own are refused. */
export function readXml(text: string, maxElements: number): XmlElement {
  const reader = new XmlReader(maxElements)
  reader.write(text)
  return reader.close()
}

/** The same for long documents, in pieces: other requests have their turn between them. */
export async function readLongXml(text: string, maxElements: number): Promise<XmlElement> {
  const reader = new XmlReader(maxElements)
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    reader.write(text.slice(at, at + PIECE_CHARACTERS))
    const wait = turn()
    if (wait !== undefined) await wait
  }
  return reader.close()
}

class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false as const })
  readonly #root: OpenElement = { name: '', attributes: {}, children: [], text: undefined, nodes: 0 }
  readonly #open: OpenElement[] = [this.#root]
  readonly #maxElements: number
  #elements = 0

  constructor(maxElements: number) {
    this.#maxElements = maxElements
    const parser = this.#parser
    parser.on('error', (error) => {
      throw malformed(`it is no XML: ${error.message.slice(0, 200)}`)
    })
    // Entities are declared there, and a few of them make gigabytes.
    parser.on('doctype', () => {
      throw malformed('it has a document type declaration')
    })
    parser.on('opentag', ({ name, attributes }) => this.#openElement(name, attributes))
    parser.on('text', (part) => this.#addText(part))
    parser.on('cdata', (part) => this.#addText(part))
    parser.on('comment', () => this.#countNode())
    parser.on('processinginstruction', () => this.#countNode())
    parser.on('closetag', () => void this.#open.pop())
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  close(): XmlElement {
    this.#parser.close()
    const [element] = this.#root.children
    if (element === undefined) throw malformed('it has no element')
    return element
  }

  #openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#open.length > MOST_DEPTH) throw overLimit(`elements are nested more than ${MOST_DEPTH} deep`)
    if (++this.#elements > this.#maxElements) throw overLimit(`it has more than ${this.#maxElements} elements`)
    const element = { name, attributes: { ...attributes }, children: [], text: undefined, nodes: 0 }
    this.#countNode()
    this.#open.at(-1)?.children.push(element)
    this.#open.push(element)
  }

  #countNode(): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    element.nodes++
    element.text = undefined
  }

  #addText(part: string): void {
    const element = this.#open.at(-1)
    if (element === undefined || part.trim() === '') return
    element.nodes++
    element.text = element.nodes === 1 ? part : undefined
  }
}

export function isNamed({ name }: Pick<XmlElement, 'name'>, wanted: string): boolean {
  // A band may have a hundred thousand children, of which each look-up goes through all.
  return name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase()
}

/** The first child of that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => isNamed(child, name))
}

/** All children of that name. */
export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => isNamed(child, name)) ?? []
}

/** The value of an attribute or a child of that name, the first of them, as GDAL looks it up; undefined where that has no text. */
export function lookUp(element: XmlElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined
  const attribute = Object.keys(element.attributes).find((key) => isNamed({ name: key }, name))
  return attribute === undefined ? childOf(element, name)?.text : element.attributes[attribute]
}

/** The same without surrounding blanks; undefined where it is blank. */
export function textIn(element: XmlElement | undefined, name: string): string | undefined {
  const text = lookUp(element, name)?.trim()
  return text === '' ? undefined : text
}
