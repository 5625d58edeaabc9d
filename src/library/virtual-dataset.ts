import type { Diagnostic, VirtualNode } from '../model/virtual-store.ts'
import type { Inspection } from '../service/api-schemas.ts'
import { exportKerchunk } from '../service/export/export.ts'
import { inspectionOf } from '../service/inspect.ts'
import type { Beginning } from './library.ts'
import { type VirtualStore, zarrStore } from './zarr-store.ts'

/** A source once read: its tree, and what can be made of it. */
export interface VirtualDataset {
  readonly format: string
  /** Names this version of all that was read. */
  readonly version: string
  /** The tree of the model, after the views that the options ask for. */
  readonly root: VirtualNode
  /** What was dropped, renamed or guessed. */
  readonly diagnostics: readonly Diagnostic[]
  /** For Zarr clients. */
  readonly store: VirtualStore
  /** What is known of groups and arrays, as `/inspect` answers it. */
  inspect(): Inspection
  /** References that other tools read. Of a dataset opened with `{ codecs: 'native' }`: Kerchunk's readers know more than v3 clients do. */
  toKerchunk(): Promise<string>
  close(): Promise<void>
}

/** Reads the metadata of a source. */
export async function virtualDataset(beginning: Beginning): Promise<VirtualDataset> {
  const { stores, address, close } = beginning
  try {
    const description = await stores.describe(address)
    const { parsed, store } = description
    return {
      format: parsed.format,
      version: parsed.version,
      root: store.root,
      diagnostics: store.diagnostics,
      store: zarrStore(beginning),
      inspect: () => inspectionOf(description),
      toKerchunk: async () => (await exportKerchunk(description)).pieces.join(''),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
