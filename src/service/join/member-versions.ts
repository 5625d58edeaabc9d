import { TextTable } from '../../model/text-table.ts'

/** What is written of the versions of a join's members: a table of texts, and the text of each member; -1 for one that has none. */
export interface WrittenVersions {
  readonly texts: TextTable
  readonly ids: Int32Array
}

/**
 * What origins said of the versions of members, by which they are asked again: about 80 bytes each. Texts that differ in their last
 * part share what comes before it, so the values come last.
 */
export class MemberVersions {
  #texts: TextTable
  #ids: Int32Array

  constructor({ texts, ids }: WrittenVersions = { texts: new TextTable(), ids: new Int32Array(0) }) {
    this.#texts = texts
    this.#ids = ids.slice()
  }

  has(member: number): boolean {
    return (this.#ids[member] ?? -1) >= 0
  }

  get(member: number): unknown {
    const id = this.#ids[member] ?? -1
    return id < 0 ? undefined : versionOf(Buffer.from(this.#texts.bytes(id)).toString())
  }

  set(member: number, version: unknown): void {
    this.#setText(member, Buffer.from(textOf(version)))
  }

  delete(member: number): void {
    if (this.has(member)) this.#ids[member] = -1
  }

  /** Those of some members, counted from the first of them; the table of texts is shared. */
  written(start: number, count: number): WrittenVersions {
    const ids = new Int32Array(count).fill(-1)
    ids.set(this.#ids.subarray(start, start + count))
    return { texts: this.#texts, ids }
  }

  /** Takes over versions of members from `start` on; those that are known here stay. */
  adopt(start: number, { texts, ids }: WrittenVersions): void {
    const own = [...this.#ids.entries()].filter(([, id]) => id >= 0)
    const known = own.map(([member, id]) => [member, this.#texts.bytes(id)] as const)
    this.#texts = texts
    this.#ids = new Int32Array(start + ids.length).fill(-1)
    this.#ids.set(ids, start)
    for (const [member, text] of known) this.#setText(member, text)
  }

  #setText(member: number, text: Uint8Array): void {
    if (member >= this.#ids.length) {
      const longer = new Int32Array(Math.max(64, 2 ** Math.ceil(Math.log2(member + 1)))).fill(-1)
      longer.set(this.#ids)
      this.#ids = longer
    }
    this.#ids[member] = this.#texts.add(text)
  }
}

/** Stands for a value in the first part of a text. */
const VALUE = '\0'

/** The shape of a version, and its numbers and texts after it. */
function textOf(version: unknown): string {
  const values: (string | number)[] = []
  const shape = JSON.stringify(version, (_key, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value
    values.push(value)
    return VALUE
  })
  return `${shape}\n${JSON.stringify(values)}`
}

function versionOf(text: string): unknown {
  const [shape = 'null', values = '[]'] = text.split('\n')
  const left = (JSON.parse(values) as (string | number)[]).values()
  return JSON.parse(shape, (_key, value: unknown) => (value === VALUE ? left.next().value : value))
}
