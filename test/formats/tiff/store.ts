import { filesBelow, type TestStore, testStores } from '../../helpers/test-stores.ts'

/** The stores of one folder's files. */
export interface FolderStores {
  open(name: string, options?: Readonly<Record<string, string>>): TestStore
  close(): Promise<void>
}

/** Opens files of a folder by their names. */
export function storesOf(folder: URL): FolderStores {
  const stores = testStores(filesBelow(folder))
  return {
    open: (name, options) => stores.open(new URL(encodeURIComponent(name), folder).href, options),
    close: stores.close,
  }
}

/** All values of an array of numbers: C order, little-endian. */
export async function numbersOf(store: TestStore, path: string): Promise<Uint8Array> {
  const values = await store.values(path)
  if (values.kind !== 'fixed') throw new Error(`${path} is no array of numbers`)
  return values.bytes
}
