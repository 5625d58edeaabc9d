import { unsupported } from '../../errors.ts'
import type { Encoding, StoredCodec } from '../../model/encoding.ts'
import { type MaskedEncodings, maskedEncodings, maskPlaces } from '../hdf5-elements/masked-encodings.ts'
import type { ElementAttributes } from './element-attributes.ts'
import { countFromText, wordsOf } from './numbers.ts'

interface FilterInput {
  readonly chunks: ElementAttributes | undefined
  /** Version of the writer. */
  readonly version: string | undefined
  readonly codecs: Encoding
  readonly size: number | undefined
  readonly hasMasks: boolean
}

const MOST_FILTERS = 16
const USUAL_LEVEL = 6

/** The pipeline of `compressionType`, in the order in which it was applied; with masks, one encoding for each. */
export function planEncodings({ chunks, version, codecs, size, hasMasks }: FilterInput): MaskedEncodings {
  const names = filterNames(chunks?.get('compressionType') ?? '', version)
  if (names.length > MOST_FILTERS) throw unsupported('filter pipeline', `a pipeline of ${names.length} filters`)
  const levels = wordsOf(chunks?.get('deflateLevel') ?? chunks?.get('deflate_level') ?? '').map(countFromText)
  let deflates = 0
  const filters = names.map((name) => {
    const level = name === 'deflate' ? levels[deflates++] : undefined
    return filterCodec(name, size, level)
  })
  return hasMasks
    ? maskedEncodings(codecs, filters)
    : { encodings: [[...codecs, ...filters]], encodingOf: maskPlaces(0) }
}

/**
 * Sidecars without a version are by writers that listed the filters in any order; their readers undid them in one order, which is
 * that of all files they described.
 */
function filterNames(compressionType: string, version: string | undefined): readonly string[] {
  const names = wordsOf(compressionType.toLowerCase())
  if (version !== undefined && version !== '') return names
  const place = (name: string) => ['shuffle', 'deflate', 'fletcher32'].indexOf(name)
  if (names.some((name) => place(name) === -1) || new Set(names).size !== names.length) return names
  return names.toSorted((one, other) => place(one) - place(other))
}

function filterCodec(name: string, size: number | undefined, level: number | undefined): StoredCodec {
  switch (name) {
    case 'shuffle':
      if (size === undefined) throw unsupported('shuffle', 'shuffled elements of unknown size')
      return { name: 'numcodecs.shuffle', configuration: { elementsize: size } }
    case 'deflate':
      return {
        name: 'numcodecs.zlib',
        configuration: { level: level === undefined || level > 9 ? USUAL_LEVEL : level },
      }
    case 'fletcher32':
      return { name: 'numcodecs.fletcher32', configuration: {} }
  }
  throw unsupported('DMR++ filter', `chunks were written with the filter ${name.slice(0, 100)}, which is not known`)
}
