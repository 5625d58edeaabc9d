import { anyText } from '../../bytes/text.ts'
import { brokenReference } from '../../model/broken-reference.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { recipe } from '../../model/recipe.ts'
import type { TextTable } from '../../model/text-table.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import type { ReferenceTable } from './reference-classes.ts'
import { BREAKAGES, BROKEN, DEFERRED, FIRST_URL, INLINE, inlineBytes, WHOLE } from './reference-codes.ts'
import { resolveReference } from './resolve-url.ts'
import { parseTemplate, type Templates } from './template/templates.ts'

/** What the references of all arrays of a document share. */
export interface TargetParts {
  readonly source: Source
  readonly context: Pick<ParseContext, 'reference'>
  readonly inline: Uint8Array
  readonly urls: TextTable
  readonly templates: Templates
}

/** Makes chunk references of what a document says. URLs are resolved when a chunk asks for them, each once. */
export class ReferenceTargets {
  readonly #parts: TargetParts
  /** By number of the URL: the number of the source. */
  readonly #sources = new Map<number, number>()

  constructor(parts: TargetParts) {
    this.#parts = parts
    referenceTargets.mark(this, parts)
  }

  weight(): number {
    return this.#parts.inline.length + this.#parts.urls.weight() + this.#sources.size * 300
  }

  /** The chunk at a position of an array's grid. */
  chunk({ placeOf, columns }: ReferenceTable, position: number, path: string): ChunkRef | Promise<ChunkRef> {
    const place = placeOf(position)
    if (place === undefined) return MISSING
    const target = columns.target[place] ?? 0
    const offset = columns.offset[place] ?? 0
    const length = columns.length[place] ?? 0
    if (target >= FIRST_URL) {
      const source = this.#source(target - FIRST_URL, path)
      if (length === WHOLE) return { kind: 'object', source, key: '', encoding: 0, isRequired: true }
      return { kind: 'range', source, offset, length, encoding: 0 }
    }
    switch (target) {
      case INLINE:
        return { kind: 'inline', bytes: this.#parts.inline.subarray(offset, offset + length), encoding: 0 }
      case DEFERRED:
        return this.#deferred(offset, length, path)
      case BROKEN:
        throw brokenReference(BREAKAGES[offset] ?? 'is broken', path)
    }
    return MISSING
  }

  #source(url: number, path: string): number {
    const known = this.#sources.get(url)
    if (known !== undefined) return known
    const { source, context, urls, templates } = this.#parts
    const text = unescaped(anyText(urls.bytes(url)), path)
    const rendered = templates.isEmpty || !text.includes('{{') ? text : templates.render(parseTemplate(text), new Map())
    const resolved = resolveReference(rendered, source.url)
    if (resolved.kind === 'refused') throw brokenReference(resolved.reason, path)
    const index = context.reference(resolved.url)
    this.#sources.set(url, index)
    return index
  }

  async #deferred(offset: number, length: number, path: string): Promise<ChunkRef> {
    const token = await this.#parts.source.read({ offset, length })
    const bytes = inlineBytes(unescaped(anyText(token), path))
    if (typeof bytes === 'string') throw brokenReference(bytes, path)
    if (bytes.length === 0) throw brokenReference('holds no bytes', path)
    return { kind: 'inline', bytes, encoding: 0 }
  }
}

export const referenceTargets = recipe('kerchunk.targets', (parts: TargetParts) => new ReferenceTargets(parts))

function unescaped(token: string, path: string): string {
  if (!token.includes('\\')) return token
  try {
    return JSON.parse(`"${token}"`) as string
  } catch {
    throw brokenReference('is no JSON text', path)
  }
}
