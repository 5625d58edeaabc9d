import { overBudget, type VirtualZarrError } from '../../../errors.ts'
import { inParallel } from '../../../in-parallel.ts'
import { isOwnFault } from '../../../model/skipped-array.ts'
import type { ReadOptions } from '../../../source/source.ts'
import type { Descriptor } from './directory.ts'
import { cursorOf, elementName, type Hdf4File } from './hdf4-file.ts'
import { readContent, readElements } from './read-elements.ts'
import { TAG } from './tags.ts'
import { parseVdata, type Vdata } from './vdata.ts'
import { parseVgroup, type Vgroup } from './vgroup.ts'

/** What a file says of its data: all small elements, by reference number. */
export interface Catalog {
  readonly vgroups: ReadonlyMap<number, Vgroup>
  readonly vdatas: ReadonlyMap<number, Vdata>
  /** The bytes of another small element; undefined where there is none. */
  bytesOf(tag: number, ref: number): Uint8Array | undefined
  /** Those that can't be read, and why. */
  readonly faults: readonly { readonly name: string; readonly fault: VirtualZarrError }[]
}

/** Small elements that say something of data. */
const DESCRIPTIVE = [
  TAG.vgroup,
  TAG.vdataHeader,
  TAG.numberType,
  TAG.fileLabel,
  TAG.fileDescription,
  TAG.label,
  TAG.description,
  TAG.imageDimension,
  TAG.imageGroup,
  TAG.sdDimensions,
  TAG.sdLabels,
  TAG.sdUnits,
  TAG.sdFormats,
  TAG.sdRange,
  TAG.sdCoordinates,
  TAG.sdCalibration,
  TAG.sdFillValue,
  TAG.numericGroup,
  TAG.scienceGroup,
]
const MOST_ELEMENT_BYTES = 16_777_216
/** Members of all vgroups, and fields of all tables. */
const MOST_LINKS = 1_000_000
const AT_ONCE = 32

/** Reads all small elements, in one round where they lie as they are. */
export async function readCatalog(file: Hdf4File, options: ReadOptions): Promise<Catalog> {
  const wanted = DESCRIPTIVE.flatMap((tag) => file.directory.all(tag))
  const plain = wanted.filter(({ isSpecial, length }) => !isSpecial && length <= MOST_ELEMENT_BYTES)
  const bytes = new Map(await readElements(file, plain, options))
  const faults: { name: string; fault: VirtualZarrError }[] = []
  const attempt = <Result>(element: Descriptor, work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      if (!isOwnFault(error)) throw error
      faults.push({ name: elementName(element), fault: error })
      return undefined
    }
  }
  await inParallel(
    wanted.filter(({ isSpecial }) => isSpecial),
    AT_ONCE,
    async (element) => {
      const content = await readContent(file, element, MOST_ELEMENT_BYTES, options).catch((error: unknown) =>
        attempt(element, () => {
          throw error
        }),
      )
      if (content !== undefined) bytes.set(element, content)
    },
  )
  const vgroups = new Map<number, Vgroup>()
  const vdatas = new Map<number, Vdata>()
  const others = new Map<string, Uint8Array>()
  let links = 0
  for (const element of wanted) {
    if (links > MOST_LINKS) throw overBudget(`more than ${MOST_LINKS} members of groups and tables`)
    const content = bytes.get(element)
    if (content === undefined) continue
    const { tag, ref } = element
    if (tag === TAG.vgroup) {
      const vgroup = attempt(element, () => parseVgroup(cursorOf(file, content, element), ref))
      if (vgroup !== undefined) vgroups.set(ref, vgroup)
      links += 1 + (vgroup?.members.length ?? 0)
    } else if (tag === TAG.vdataHeader) {
      const vdata = attempt(element, () => parseVdata(cursorOf(file, content, element), ref))
      if (vdata !== undefined) vdatas.set(ref, vdata)
      links += 1 + (vdata?.fields.length ?? 0)
    } else others.set(`${tag}/${ref}`, content)
  }
  return { vgroups, vdatas, faults, bytesOf: (tag, ref) => others.get(`${tag}/${ref}`) }
}
