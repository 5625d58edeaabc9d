import { SaxesParser } from 'saxes'
import { malformed, overLimit } from '../../errors.ts'

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

/** Reads a document of GDAL; throws for what is no XML, or has more elements than that. Entities of its own are refused. */
export function readXml(text: string, maxElements: number): XmlElement {
  const parser = new SaxesParser({ xmlns: false as const })
  const root: OpenElement = { name: '', attributes: {}, children: [], text: undefined, nodes: 0 }
  const open: OpenElement[] = [root]
  let elements = 0
  parser.on('error', (error) => {
    throw malformed(`it is no XML: ${error.message.slice(0, 200)}`)
  })
  // Entities are declared there, and a few of them make gigabytes.
  parser.on('doctype', () => {
    throw malformed('it has a document type declaration')
  })
  const countNode = () => {
    const element = open.at(-1)
    if (element === undefined) return
    element.nodes++
    element.text = undefined
  }
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MOST_DEPTH) throw overLimit(`elements are nested more than ${MOST_DEPTH} deep`)
    if (++elements > maxElements) throw overLimit(`it has more than ${maxElements} elements`)
    const element = { name, attributes: { ...attributes }, children: [], text: undefined, nodes: 0 }
    countNode()
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element === undefined || part.trim() === '') return
    element.nodes++
    element.text = element.nodes === 1 ? part : undefined
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('comment', countNode)
  parser.on('processinginstruction', countNode)
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  const [element] = root.children
  if (element === undefined) throw malformed('it has no element')
  return element
}

export function isNamed({ name }: Pick<XmlElement, 'name'>, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase()
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
