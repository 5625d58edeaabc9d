import { SaxesParser } from 'saxes'
import { malformed, overLimit } from '../../errors.ts'

/** An element of a document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text, all pieces joined. */
  readonly text: string
}

const MOST_DEPTH = 32
const MOST_ELEMENTS = 1_000_000

/** Reads a document; throws for what is no XML, or more than a description of rasters needs. Entities of its own are refused. */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: false as const })
  const root = { name: '', attributes: {}, children: [] as XmlElement[], text: '' }
  const open: { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string }[] = [root]
  let elements = 0
  parser.on('error', (error) => {
    throw malformed(`it is no XML: ${error.message.slice(0, 200)}`)
  })
  // Entities are declared there, and a few of them make gigabytes.
  parser.on('doctype', () => {
    throw malformed('it has a document type declaration')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MOST_DEPTH) throw overLimit(`elements are nested more than ${MOST_DEPTH} deep`)
    if (++elements > MOST_ELEMENTS) throw overLimit(`it has more than ${MOST_ELEMENTS} elements`)
    const element = { name, attributes: { ...attributes }, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const add = (part: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  const [element] = root.children
  if (element === undefined) throw malformed('it has no element')
  return element
}

/** The first child of that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

/** All children of that name. */
export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

/** The text of the first child of that name; undefined where it is blank. */
export function textIn(element: XmlElement | undefined, name: string): string | undefined {
  const text = childOf(element, name)?.text.trim()
  return text === '' ? undefined : text
}
