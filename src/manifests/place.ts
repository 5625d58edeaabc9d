/** Where manifests are kept: by names of 64 hexadecimal digits. It never throws: what fails is counted, and is as if it were not there. */
export interface ManifestPlace {
  /** `folder`, `redis`: a label of metrics. */
  readonly kind: string
  get(name: string): Promise<Uint8Array | undefined>
  /** Whether it is there now. */
  put(name: string, bytes: Uint8Array): Promise<boolean>
  /** The right to make an entry that others would make, too. */
  lease(name: string): Promise<Lease>
  close(): Promise<void>
}

export type Lease =
  /** It is this process's: `end` tells the others, who else wait for as long as the lease is. */
  | { readonly kind: 'own'; end(): Promise<void> }
  /** Another process is at it. */
  | { readonly kind: 'taken' }
  /** Nobody can tell. */
  | { readonly kind: 'none' }

/** What became of the questions to a place. */
export type PlaceOutcome = 'hit' | 'miss' | 'damaged' | 'failed' | 'late' | 'down' | 'skipped' | 'written'

/** `bytes` of an entry that was read or written. */
export type CountOutcome = (place: string, outcome: PlaceOutcome, bytes?: number) => void

/** A holder renews its lease while it works; that of one that died ends after this. */
export const LEASE_MILLISECONDS = 3000
