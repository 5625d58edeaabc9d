import { Decoder } from '../../manifests/decode.ts'
import { Encoder } from '../../manifests/encode.ts'
import { MOST_ENTRY_BYTES } from '../../manifests/seal.ts'
import { NotWritten } from '../../model/recipe.ts'
import { TextTable, textTable } from '../../model/text-table.ts'
import type { PersistedCoordinate } from './joined-coordinates.ts'
import type { WrittenVersions } from './member-versions.ts'

/** What a join has learned of its members by visiting them all: plain data. */
export interface Learned {
  readonly versions: WrittenVersions
  readonly coordinates: readonly PersistedCoordinate[]
}

/** Undefined where it can't be written: too long, or what might be a secret is in it. */
export function encodeLearned(learned: Learned): Uint8Array | undefined {
  try {
    const encoder = new Encoder({ anchors: new Map(), secrets: [], mostBytes: MOST_ENTRY_BYTES })
    encoder.write(learned)
    return encoder.finished()
  } catch (error) {
    if (error instanceof NotWritten) return undefined
    throw error
  }
}

/** Undefined for what nobody wrote so: its checksum was right, but the members are the truth. */
export function decodeLearned(bytes: Uint8Array): Learned | undefined {
  try {
    const decoder = new Decoder(bytes, { anchors: [], makers: new Map([[textTable.recipe, textTable]]) })
    const learned = decoder.read() as Learned
    decoder.end()
    const { texts, ids } = learned.versions
    const isWhole =
      texts instanceof TextTable && ids instanceof Int32Array && ids.every((id) => id >= -1 && id < texts.count)
    const areValues = learned.coordinates.every(
      ({ key, bytes: values }) => typeof key === 'string' && values instanceof Uint8Array,
    )
    return isWhole && areValues ? learned : undefined
  } catch {
    return undefined
  }
}
