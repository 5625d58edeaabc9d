// FlexBuffers (flatbuffers.dev, "Flexbuffers"), as far as maps of maps and strings go: the configuration of a repository.
import { utf8Text } from '../../bytes/text.ts'
import { malformed } from '../../errors.ts'

const MAP = 9
const STRING = 5
const MOST_MEMBERS = 10_000

/** A value: where it stands, and what its parent says of it. */
interface FlexValue {
  readonly at: number
  /** Bytes of each number in the parent. */
  readonly width: number
  /** The type, and in the lower bits the width of what it refers to. */
  readonly packed: number
}

/** A FlexBuffer, each offset of which is checked before it is followed. */
export class FlexBuffer {
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The outermost value. */
  root(): FlexValue {
    const end = this.#bytes.length
    const width = this.#number(end - 1, 1)
    return { at: end - 2 - width, width, packed: this.#number(end - 2, 1) }
  }

  /** The members of a map, by their names; none where the value is something else. */
  members(value: FlexValue | undefined): ReadonlyMap<string, FlexValue> {
    const found = new Map<string, FlexValue>()
    if (value === undefined || value.packed >> 2 !== MAP) return found
    const at = value.at - this.#number(value.at, value.width)
    const width = 1 << (value.packed & 3)
    const count = this.#number(at - width, width)
    if (count > MOST_MEMBERS) throw malformed(`a map of ${count} members in the configuration of the repository`)
    const keyWidth = this.#number(at - width * 2, width)
    const keys = at - width * 3 - this.#number(at - width * 3, width)
    for (let index = 0; index < count; index++) {
      const key = keys + index * keyWidth
      const name = this.#key(key - this.#number(key, keyWidth))
      found.set(name, { at: at + index * width, width, packed: this.#number(at + count * width + index, 1) })
    }
    return found
  }

  /** The text of a string; undefined where the value is something else. */
  text(value: FlexValue | undefined): string | undefined {
    if (value === undefined || value.packed >> 2 !== STRING) return undefined
    const at = value.at - this.#number(value.at, value.width)
    const width = 1 << (value.packed & 3)
    const length = this.#number(at - width, width)
    if (length > this.#bytes.length - at) throw this.#outside(at)
    return utf8Text(this.#bytes.subarray(at, at + length))
  }

  #key(at: number): string {
    const end = at < 0 ? -1 : this.#bytes.indexOf(0, at)
    if (end === -1) throw this.#outside(at)
    return utf8Text(this.#bytes.subarray(at, end)) ?? ''
  }

  #number(at: number, width: number): number {
    if (at < 0 || at + width > this.#bytes.length) throw this.#outside(at)
    switch (width) {
      case 1:
        return this.#bytes.readUInt8(at)
      case 2:
        return this.#bytes.readUInt16LE(at)
      case 4:
        return this.#bytes.readUInt32LE(at)
      case 8:
        return Number(this.#bytes.readBigUInt64LE(at))
    }
    throw malformed(`numbers of ${width} bytes in the configuration of the repository`)
  }

  #outside(at: number): Error {
    return malformed(`the configuration of the repository leads to byte ${at} of ${this.#bytes.length}`)
  }
}
