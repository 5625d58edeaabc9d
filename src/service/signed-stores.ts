import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidRequest, VirtualZarrError } from '../errors.ts'
import type { OptionTexts } from './store-options.ts'

/** Which store a signature opens: as its URL names it, whatever its spelling. */
export interface NamedStore {
  /** A catalog id or the source's URL. */
  readonly source: string
  readonly options: OptionTexts
}

/** Signs with the first of its keys, and takes signatures of all of them, so that keys can be replaced one after the other. */
export class StoreSigner {
  readonly #keys: readonly string[]

  constructor(keys: readonly string[]) {
    this.#keys = keys
  }

  /** The options that open a store until then, in seconds after 1970 began. */
  sign(store: NamedStore, expires: number): OptionTexts {
    const [key = ''] = this.#keys
    const sig = proofOf(key, store, expires).toString('base64url')
    return new Map([...store.options, ['expires', String(expires)], ['sig', sig]])
  }

  /**
   * Takes the signature out of a store's options. Throws `unauthorized` for one that does not fit: what was changed in a signed URL
   * is no other store that happens to be open. Whether it has expired is to be asked with each request.
   */
  read(source: string, options: OptionTexts): { readonly options: OptionTexts; readonly expires: number | undefined } {
    const [expires, sig] = [options.get('expires'), options.get('sig')]
    if (expires === undefined && sig === undefined) return { options, expires: undefined }
    if (expires === undefined || sig === undefined || !/^\d{1,12}$/.test(expires))
      throw invalidRequest('a signed store has both: expires, in seconds after 1970 began, and sig', { option: 'sig' })
    const signed = new Map([...options].filter(([name]) => name !== 'expires' && name !== 'sig'))
    const given = Buffer.from(sig, 'base64url')
    let isKnown = false
    for (const key of this.#keys) {
      const proof = proofOf(key, { source, options: signed }, Number(expires))
      if (given.length === proof.length && timingSafeEqual(given, proof)) isKnown = true
    }
    if (!isKnown) throw new VirtualZarrError('unauthorized', "the signature does not fit the store's URL")
    return { options: signed, expires: Number(expires) }
  }
}

function proofOf(key: string, { source, options }: NamedStore, expires: number): Buffer {
  const named = [...options].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha256', key)
    .update(JSON.stringify(['vz-store/1', source, named, expires]))
    .digest()
}
