import { SaxesParser } from 'saxes'

export type XmlAttributes = Readonly<Record<string, string>>

/** Who is told of the elements of a document, in their order. */
export interface XmlReader {
  open(name: string, attributes: XmlAttributes): void
  text(part: string): void
  close(name: string): void
}

/** Deeper, nothing is nested that anybody reads. */
const MOST_DEPTH = 64

/** Reads the XML of a stranger; throws for what is none, and for more of it than metadata needs. */
export function readXml(xml: string, mostElements: number, reader: XmlReader): void {
  const parser = new SaxesParser({ xmlns: false as const })
  let depth = 0
  let elements = 0
  parser.on('error', (error) => {
    throw error
  })
  // Entities are declared there, and a few of them make gigabytes.
  parser.on('doctype', () => {
    throw new Error('it has a document type declaration')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MOST_DEPTH || ++elements > mostElements) throw new Error('it has too many or too deep elements')
    reader.open(name, attributes)
  })
  parser.on('text', (part) => reader.text(part))
  parser.on('cdata', (part) => reader.text(part))
  parser.on('closetag', ({ name }) => {
    reader.close(name)
    depth--
  })
  parser.write(xml).close()
}
