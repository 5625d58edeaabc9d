import { overBudget } from '../../../errors.ts'
import { inParallel } from '../../../in-parallel.ts'
import { isOwnFault } from '../../../model/skipped-array.ts'
import type { ReadOptions } from '../../../source/source.ts'
import type { Catalog } from './catalog.ts'
import type { Descriptor } from './directory.ts'
import type { Hdf4File } from './hdf4-file.ts'
import { readContent, readElements } from './read-elements.ts'
import { TAG } from './tags.ts'
import type { Vdata } from './vdata.ts'

/** The records of small tables by reference number: those that are attributes, and lengths of dimensions. */
export type Contents = ReadonlyMap<number, Uint8Array>

const MOST_CONTENT_BYTES = 16_777_216
const MOST_TOTAL_BYTES = 67_108_864
const AT_ONCE = 32
/** Attributes of data sets and of images, and what dimensions are long. */
const READ_CLASSES = /^(?:Attr0\.0|DimVal0\.1|RIATTR0\.0[NC])/

/** Reads the tables that are no data of their own, in one round. */
export async function readContents(file: Hdf4File, catalog: Catalog, options: ReadOptions): Promise<Contents> {
  const named = new Set<number>()
  for (const { attributes } of catalog.vgroups.values()) for (const ref of attributes) named.add(ref)
  for (const { attributes } of catalog.vdatas.values()) for (const { ref } of attributes) named.add(ref)
  const wanted = [...catalog.vdatas.values()].filter(
    (vdata) => (named.has(vdata.ref) || READ_CLASSES.test(vdata.className)) && lengthOf(vdata) <= MOST_CONTENT_BYTES,
  )
  if (wanted.reduce((sum, vdata) => sum + lengthOf(vdata), 0) > MOST_TOTAL_BYTES) {
    throw overBudget(`more than ${MOST_TOTAL_BYTES} bytes of attributes`)
  }
  const elements = wanted.flatMap((vdata) => file.directory.find(TAG.vdata, vdata.ref) ?? [])
  const contents = new Map<number, Uint8Array>()
  const plain = elements.filter(({ isSpecial, length }) => !isSpecial && length <= MOST_CONTENT_BYTES)
  for (const [{ ref }, bytes] of await readElements(file, plain, options)) contents.set(ref, bytes)
  await inParallel(
    elements.filter(({ isSpecial }) => isSpecial),
    AT_ONCE,
    async (element) => {
      const bytes = await contentOf(file, element, options)
      if (bytes !== undefined) contents.set(element.ref, bytes)
    },
  )
  return contents
}

function lengthOf({ records, recordBytes }: Vdata): number {
  return records * recordBytes
}

/** One that can't be read costs the attribute, which is told of when it is asked for. */
async function contentOf(file: Hdf4File, element: Descriptor, options: ReadOptions): Promise<Uint8Array | undefined> {
  try {
    return await readContent(file, element, MOST_CONTENT_BYTES, options)
  } catch (error) {
    if (!isOwnFault(error)) throw error
    return undefined
  }
}
