import { unsupported } from '../../../errors.ts'
import type { Encoding, StoredCodec } from '../../../model/encoding.ts'
import type { Datatype } from '../messages/datatype.ts'
import type { Filter } from '../messages/filter-pipeline.ts'
import { filterCodec, filterInWords } from './filters.ts'

/** All ways in which the chunks of a dataset may be stored. */
export interface PlannedEncodings {
  readonly encodings: readonly Encoding[]
  /** The place in `encodings` for a filter mask. */
  encodingOf(mask: number): number | undefined
}

/** With more filters only the two masks that writers use are planned: none left out, and all. */
const MOST_MASKED_FILTERS = 5

interface EncodingInput {
  readonly codecs: readonly StoredCodec[]
  readonly filters: readonly Filter[]
  readonly type: Datatype
}

/** One encoding for each filter mask: `[0]` is the whole pipeline. Throws `unsupported-feature` for an unknown filter. */
export function planEncodings({ codecs, filters, type }: EncodingInput): PlannedEncodings {
  const steps = filters.map((filter) => {
    const step = filterCodec(filter, type)
    if (step === undefined)
      throw unsupported('HDF5 filter', `chunks were written with ${filterInWords(filter)}, which is not known`)
    return step
  })
  const count = steps.length
  const all = 2 ** count - 1
  if (count > MOST_MASKED_FILTERS) {
    return {
      encodings: [[...codecs, ...steps], codecs],
      encodingOf: (mask) => (inPipeline(mask, all) === 0 ? 0 : inPipeline(mask, all) === all ? 1 : undefined),
    }
  }
  const encodings = Array.from({ length: all + 1 }, (_, mask) => [
    ...codecs,
    ...steps.filter((_, i) => (mask & (1 << i)) === 0),
  ])
  return { encodings, encodingOf: (mask) => inPipeline(mask, all) }
}

/** Bits beyond the pipeline mean nothing. */
function inPipeline(mask: number, all: number): number {
  return (mask & all) >>> 0
}
