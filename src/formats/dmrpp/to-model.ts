import { malformed } from '../../errors.ts'
import { withTextMembers } from '../../model/characters.ts'
import { encodingGuessed } from '../../model/guessed-text.ts'
import { recipe } from '../../model/recipe.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { attributesOf } from './attributes.ts'
import { chunkFileUrls, type DataFileInput, dataFileUrls } from './data-file.ts'
import { type DmrDocument, type DmrGroup, type DmrVariable, qualifiedName } from './document.ts'
import { inlineBudget } from './inline-budget.ts'
import type { DocumentWorld } from './storage.ts'
import { memberOf } from './to-array.ts'

/** The tree of a sidecar: that of the file it describes. The file itself is looked for when a chunk is read (GEN-10). */
export function toModel(document: DmrDocument, url: string, context: ParseContext): VirtualGroup {
  if (document.hasLeadingText) {
    context.warn({ code: 'leading-text', message: 'text before the XML document is passed over' })
  }
  if (document.hasGuessedText) context.warn(encodingGuessed('text', 'some text of the document', undefined, []))
  const world: DocumentWorld = {
    url,
    context,
    version: document.version,
    sourceOf: sourcesOf(document, url, context),
    spend: inlineBudget(),
  }
  return groupOf(document.root, world)
}

/** Registers the files that chunks lie in: the document's, and those that chunks name. */
function sourcesOf(document: DmrDocument, url: string, context: ParseContext): (file: number) => number {
  const input: DataFileInput = { sidecar: url, href: document.href, data: context.options.data }
  const isOnly = document.href === undefined && document.chunkHrefs.length === 1
  const files = [dataFileUrls(input), ...document.chunkHrefs.map((href) => chunkFileUrls(href, input, isOnly))]
  const references = files.map(([first, ...others]) => (first === undefined ? 0 : context.reference(first, ...others)))
  return fileSources({ references, url })
}

interface FileSources {
  readonly references: readonly number[]
  readonly url: string
}

export const fileSources = recipe('dmrpp.files', ({ references, url }: FileSources) => (file: number): number => {
  const reference = references[file] ?? 0
  // 0 is the sidecar itself, which holds no chunks.
  if (reference === 0) throw malformed('the sidecar names no data file for this chunk', { url, format: 'dmrpp' })
  return reference
})

function groupOf(group: DmrGroup, world: DocumentWorld): VirtualGroup {
  const members = new Map<string, Member>()
  const add = (name: string, member: () => Member) => {
    const isFree = name !== '' && !members.has(name)
    if (isFree) members.set(name, member())
    else {
      const message = name === '' ? 'something without a name is passed over' : `a second ${name} is passed over`
      world.context.warn({ code: 'name-unusable', message, path: qualifiedName(group, name) })
    }
  }
  for (const variable of group.variables) add(variable.name, () => memberOf(variable, world))
  for (const child of group.groups) add(child.name, () => groupOf(child, world))
  const attributes = attributesOf(group.attributes, group.path, world.context)
  return { kind: 'group', attributes: withCoordinates(attributes, group), members: withTextMembers(members) }
}

/**
 * DM-6: maps name the coordinates of a variable. Those that a reader doesn't find by itself (it takes an array for the coordinate
 * of the dimension it is named after, and reads the CF attribute `coordinates`) are listed on their group.
 */
function withCoordinates(
  attributes: ReadonlyMap<string, AttributeValue>,
  group: DmrGroup,
): ReadonlyMap<string, AttributeValue> {
  if (attributes.has('coordinates')) return attributes
  const byName = new Map(group.variables.map((variable) => [variable.name, variable]))
  const names = new Set<string>()
  for (const variable of group.variables) {
    const listed = cfCoordinates(variable)
    for (const map of variable.maps) {
      const name = localName(map, group)
      const target = name === undefined ? undefined : byName.get(name)
      if (name !== undefined && target !== undefined && !isOwnDimension(target) && !listed.has(name)) names.add(name)
    }
  }
  const isListable = [...names].every((name) => !/\s/.test(name))
  return names.size === 0 || !isListable ? attributes : new Map([...attributes, ['coordinates', [...names].join(' ')]])
}

/** The name of a map's variable when it is in this group. */
function localName(map: string, group: DmrGroup): string | undefined {
  if (!map.startsWith('/')) return map.includes('/') ? undefined : map
  const prefix = group.path === '' ? '/' : `/${group.path}/`
  const name = map.startsWith(prefix) ? map.slice(prefix.length) : ''
  return name === '' || name.includes('/') ? undefined : name
}

function isOwnDimension({ name, dimensions }: DmrVariable): boolean {
  return dimensions.length === 1 && dimensions[0]?.name?.split('/').at(-1) === name
}

function cfCoordinates({ attributes }: DmrVariable): ReadonlySet<string> {
  const values = attributes.find(({ name }) => name === 'coordinates')?.values ?? []
  return new Set(values.flatMap((value) => value.split(/\s+/)))
}
