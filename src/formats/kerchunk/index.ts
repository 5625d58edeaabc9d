import { malformed } from '../../errors.ts'
import type { VirtualNode } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { treeOf } from '../zarr-documents/to-tree.ts'
import { isNamedAsSet, kerchunkMark } from './mark.ts'
import { nodesOf } from './nodes.ts'
import { parquetIndex } from './parquet/parquet-index.ts'
import { readParquetSet } from './parquet/parquet-set.ts'
import { placeReferences, referenceIndex } from './place-references.ts'
import { readDocument } from './read-document.ts'
import { ReferenceTargets, referenceTargets } from './reference-targets.ts'
import { generate } from './template/generate.ts'
import { parseTemplates, templates } from './template/templates.ts'
import { withTexts } from './text-members.ts'

/** References as Kerchunk writes them: JSON of version 0 and 1, and Parquet sets. */
export const kerchunk: Format = {
  ...kerchunkMark,
  makers: [referenceIndex, referenceTargets, templates, parquetIndex],
  parse: (source, context) =>
    isNamedAsSet(new URL(source.url)) ? readParquetSet(source, context) : readJsonReferences(source, context),
}

async function readJsonReferences(source: Source, context: ParseContext): Promise<VirtualNode> {
  const place = { url: source.url, format: 'kerchunk' }
  const warn = context.warn.bind(context)
  const { collected, templates: texts, gen } = await readDocument(source, { signal: context.signal }, place)
  const parsed = parseTemplates(texts, place)
  await generate(gen, parsed, (key, url, at) => collected.generated(key, url, at), place)
  const nodes = nodesOf(collected.metadata, place, warn)
  if (nodes.size === 0) throw malformed('the references hold no .zgroup, .zarray or zarr.json', place)
  if (collected.otherKeys > 0) {
    const message = `${collected.otherKeys} keys name neither metadata nor chunks, and are passed over`
    warn({ code: 'keys-passed-over', message })
  }
  const { classes, urls, inline } = collected
  urls.freeze()
  const targets = new ReferenceTargets({ source, context, inline: inline.finished(), urls, templates: parsed })
  return withTexts(await treeOf(nodes, source.url, context, placeReferences(classes, targets, warn)))
}
