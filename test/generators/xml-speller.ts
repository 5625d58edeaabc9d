import type { Choices } from '../helpers/choices.ts'
import type { ElementCounts } from './generator.ts'

const CASES = ['case: as written', 'case: small', 'case: capital', 'case: mixed'] as const
const FORMS = [
  'attribute as element',
  'element as attribute',
  'CDATA',
  'comment in text',
  'comment between elements',
  'processing instruction',
  'empty element',
  'twice, the first counts',
  'blanks around text',
  'text behind a number',
  'no number',
  'exponent',
  'plus sign',
  'decimal comma',
  'single quotes',
  'character reference',
] as const
const ORDERS = ['order: as written', 'order: random'] as const

/** What a speller may make of a document, to be counted. */
export const SPELLINGS: readonly string[] = [...CASES, ...FORMS, ...ORDERS]

/** An element before it is spelled. */
export interface XmlNode {
  readonly name: string
  readonly attributes?: readonly (readonly [name: string, value: string])[]
  readonly children?: readonly XmlNode[]
  readonly text?: string
  /** GDAL compares its name with regard to case. */
  readonly isExact?: boolean
  /** Its text is a number. */
  readonly isNumber?: boolean
  /** It may not be written as an attribute, or have its attributes written as elements. */
  readonly isPlain?: boolean
}

/** Elements whose order among each other means something: sources lie over each other, and bands have numbers. */
const ORDERED = /Source$|^(?:VRTRasterBand|PAMRasterBand|GCP|MDI|Metadata)$/i

/** Spells documents in all the ways that GDAL's parser reads alike, and some in which it reads something else. */
export class XmlSpeller {
  readonly #choices: Choices
  readonly #counts: ElementCounts

  constructor(choices: Choices, counts: ElementCounts) {
    this.#choices = choices
    this.#counts = counts
  }

  #count(element: string): void {
    this.#counts.add(element)
  }

  /** A number in another spelling of the same. */
  numberText(text: string): string {
    const value = Number(text)
    const kind = this.#choices.fraction()
    if (!Number.isFinite(value) || kind > 0.12) return text
    if (kind < 0.03) {
      this.#count('exponent')
      return value.toExponential()
    }
    if (kind < 0.06) {
      this.#count('blanks around text')
      return ` ${text} `
    }
    if (kind < 0.09 && value >= 0) {
      this.#count('plus sign')
      return `+${text}`
    }
    return text
  }

  inCase(text: string): string {
    const [kind, spelled] = this.#choices.one([
      ['case: as written', text],
      ['case: as written', text],
      ['case: small', text.toLowerCase()],
      ['case: capital', text.toUpperCase()],
      [
        'case: mixed',
        [...text].map((letter, at) => (at % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join(''),
      ],
    ] as const)
    this.#count(kind)
    return spelled
  }

  #nameOf({ name, isExact = false }: XmlNode): string {
    return isExact ? name : this.inCase(name)
  }

  spell(node: XmlNode, isRoot = false): string {
    const name = this.#nameOf(node)
    const attributes: string[] = []
    const children: XmlNode[] = []
    for (const [key, value] of node.attributes ?? []) {
      const isElement = node.isPlain !== true && this.#choices.isTrue(0.04)
      if (isElement) {
        this.#count('attribute as element')
        children.push({ name: key, text: value, isPlain: true })
      } else attributes.push(this.#attribute(key, value))
    }
    for (const child of node.children ?? []) {
      const isAttribute =
        !isRoot &&
        child.isPlain !== true &&
        child.text !== undefined &&
        child.children === undefined &&
        this.#choices.isTrue(0.04)
      if (isAttribute && !attributes.some((text) => text.toLowerCase().startsWith(`${child.name.toLowerCase()}=`))) {
        this.#count('element as attribute')
        attributes.push(this.#attribute(child.name, child.text ?? ''))
      } else children.push(child)
    }
    const isShuffled = this.#choices.isTrue(0.6)
    this.#count(isShuffled ? 'order: random' : 'order: as written')
    const ordered = isShuffled ? this.#shuffled(children) : children
    const tag = [name, ...(isShuffled ? this.#choices.shuffled(attributes) : attributes)].join(' ')
    const inner = [...ordered.flatMap((child) => this.#inner(child))].join('')
    const text = this.#textOf(node)
    return text === '' && inner === '' ? `<${tag}/>` : `<${tag}>${text}${inner}</${name}>`
  }

  #shuffled(children: readonly XmlNode[]): XmlNode[] {
    const isFixed = ({ name }: XmlNode) => ORDERED.test(name)
    const fixed = children.filter(isFixed)
    return this.#choices.shuffled(children).map((child) => (isFixed(child) ? (fixed.shift() ?? child) : child))
  }

  #inner(child: XmlNode): string[] {
    const between = this.#choices.fraction()
    if (between < 0.01) {
      this.#count('comment between elements')
      return ['<!-- a comment -->', this.spell(child)]
    }
    if (between < 0.02) {
      this.#count('processing instruction')
      return ['<?made by="hand"?>', this.spell(child)]
    }
    const isText = child.text !== undefined && child.children === undefined && child.isPlain !== true
    if (isText && between < 0.05) {
      this.#count('twice, the first counts')
      return [this.spell(child), this.spell({ ...child, text: '4' })]
    }
    if (isText && between < 0.07) {
      this.#count('empty element')
      return [this.spell({ ...child, text: '' }), this.spell(child)]
    }
    return [this.spell(child)]
  }

  #attribute(key: string, value: string): string {
    const name = this.inCase(key)
    const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    if (!this.#choices.isTrue(0.1)) return `${name}="${escaped}"`
    this.#count('single quotes')
    return `${name}='${escaped}'`
  }

  #textOf({ text, isNumber = false, isPlain = false }: XmlNode): string {
    if (text === undefined || text === '') return ''
    const kind = this.#choices.fraction()
    const spelled = isNumber ? this.#spelledNumber(text) : text
    if (kind < 0.03) {
      this.#count('CDATA')
      return `<![CDATA[${spelled}]]>`
    }
    if (kind < 0.05 && !isPlain) {
      this.#count('comment in text')
      return `${spelled}<!-- so -->`
    }
    if (kind < 0.07) {
      this.#count('character reference')
      return `&#${spelled.charCodeAt(0)};${spelled.slice(1)}`
    }
    return spelled
  }

  #spelledNumber(text: string): string {
    const kind = this.#choices.fraction()
    if (kind < 0.02) {
      this.#count('text behind a number')
      return `${text}abc`
    }
    if (kind < 0.03) {
      this.#count('no number')
      return 'none'
    }
    if (kind < 0.2 && text.includes('.')) {
      this.#count('decimal comma')
      return text.replace('.', ',')
    }
    return this.numberText(text)
  }
}
