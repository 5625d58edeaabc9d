import type { ReaderFault } from './reader.ts'

/** What of an array's document, `.zarray` or `zarr.json`, faults depend on. */
export interface ArrayDocument {
  readonly dtype?: unknown
  readonly order?: string
  readonly fill_value?: unknown
  readonly filters?: readonly FilterDocument[] | null
  readonly codecs?: readonly { readonly name?: string }[]
}

interface FilterDocument {
  readonly id?: string
  readonly dtype?: string
  readonly astype?: string
}

/** Kinds of arrays that zarrita 0.7 gives otherwise than zarr-python; the golden values of the corpora are its. */
export function faultOfZarrita(document: ArrayDocument): ReaderFault | undefined {
  const { dtype, order, filters, codecs = [], fill_value: fill } = document
  if (typeof dtype === 'string' && /^[|<>]S[1-9]/.test(dtype) && order === 'F')
    return { why: 'zarrita 0.7 gives texts that are stored in the order F as if they were in C' }
  if (dtype === '|O' && typeof fill === 'number')
    return { why: 'zarrita 0.7 gives a fill value of text that is a number as a number' }
  if (
    filters?.some(({ id, astype = '', dtype: of }) => id === 'fixedscaleoffset' && /f4$/.test(astype) && of !== astype)
  )
    return { why: 'zarrita 0.7 scales in 64 bits what numcodecs scales in 32' }
  const names = codecs.map(({ name }) => name)
  if (names.includes('transpose') && names.includes('numcodecs.delta'))
    return { why: 'zarrita 0.7 adds up differences of transposed chunks in another order' }
  return undefined
}
