import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import type { ArrayCodec } from '../codec.ts'
import { listMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { numbersOf } from '../numbers.ts'
import { numpyTypeMember } from './numpy-type.ts'

/** numcodecs' `categorize`: the place of each text in a list, from 1; 0 is the empty text. */
export const categorize: ArrayCodec = {
  kind: 'array',
  name: 'numcodecs.categorize',
  reach: 'native',
  check: (configuration) => {
    labelsOf(configuration)
  },
  encodedLayout: (layout, configuration) => ({ shape: layout.shape, dataType: storedType(configuration) }),
  decode: (elements, layout, configuration) => {
    const labels = ['', ...labelsOf(configuration)]
    const places = numbersOf(fixedBytes(elements, 'numcodecs.categorize'), storedType(configuration))
    const values = Array.from({ length: places.length }, (_, i) => labels[Number(places[i])] ?? '')
    const type = layout.dataType
    if (type.kind === 'string') return { kind: 'text', values }
    if (type.kind !== 'fixed-text' || type.encoding !== 'utf-32') {
      throw unsupported(
        `categories of ${type.kind}`,
        `numcodecs.categorize decodes to text, not to ${type.kind} values`,
      )
    }
    const items = values.map((value) => scalarToBytes({ kind: 'string', value }, type))
    return { kind: 'fixed', bytes: Buffer.concat(items) }
  },
}

function storedType(configuration: JsonObject) {
  return numpyTypeMember(configuration, 'astype', { kind: 'uint', bits: 8 })
}

function labelsOf(configuration: JsonObject): string[] {
  return listMember(configuration, 'labels').map((label) => {
    if (typeof label !== 'string') throw malformed('numcodecs.categorize: a label is not text')
    return label
  })
}
