import { SaxesParser } from 'saxes'

/** An element of a store's answer. */
export interface XmlElement {
  /** Without its namespace's prefix. */
  readonly name: string
  readonly children: readonly XmlElement[]
  /** Its own text, all pieces joined. */
  readonly text: string
}

/** The answers of stores are flat: deeper ones are something else. */
const MOST_DEPTH = 16

/** Reads a document; undefined for what is no XML. Entities that a document declares itself are not known. */
export function parseXml(text: string): XmlElement | undefined {
  const parser = new SaxesParser()
  const open: { name: string; children: XmlElement[]; text: string }[] = [{ name: '', children: [], text: '' }]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    const element = { name: name.replace(/^.*:/, ''), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
    if (open.length > MOST_DEPTH) throw new Error('too deep')
  })
  parser.on('closetag', () => void open.pop())
  const add = (part: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  }
  parser.on('text', add)
  parser.on('cdata', add)
  try {
    parser.write(text).close()
  } catch {
    return undefined
  }
  return open[0]?.children[0]
}

/** The text of the first child of that name. */
export function textIn(element: XmlElement | undefined, name: string): string | undefined {
  return element?.children.find((child) => child.name === name)?.text
}

/** All children of that name. */
export function childrenIn(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}
