// HDF Specification and Developer's Guide, section 9.3: labels and descriptions of files and of single elements.
import type { AttributeValue } from '../../model/virtual-store.ts'
import { textOf } from './structures/attribute-value.ts'
import { TAG } from './structures/tags.ts'
import type { Hdf4World, Notes } from './world.ts'

/** What its writers noted of the whole file. */
export function fileNotes({ file, catalog }: Hdf4World): Map<string, AttributeValue> {
  const notes = new Map<string, AttributeValue>()
  for (const [tag, name] of [
    [TAG.fileLabel, 'file_label'],
    [TAG.fileDescription, 'file_description'],
  ] as const) {
    const texts = file.directory.all(tag).flatMap(({ ref }) => catalog.bytesOf(tag, ref) ?? [])
    const values = texts.map(textOf)
    if (values.length > 0) notes.set(name, values.length === 1 ? (values[0] ?? '') : values)
  }
  return notes
}

/** The first of each kind counts, as in the library. */
export function elementNotes({ file, catalog }: Pick<Hdf4World, 'file' | 'catalog'>): Notes {
  const notes = new Map<string, Map<string, AttributeValue>>()
  for (const [tag, name] of [
    [TAG.label, 'label'],
    [TAG.description, 'description'],
  ] as const) {
    for (const { ref } of file.directory.all(tag)) {
      const bytes = catalog.bytesOf(tag, ref)
      if (bytes === undefined || bytes.length < 4) continue
      const element = `${((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)}/${((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)}`
      const own = notes.get(element) ?? new Map<string, AttributeValue>()
      if (!own.has(name)) own.set(name, textOf(bytes.subarray(4)))
      notes.set(element, own)
    }
  }
  return notes
}
