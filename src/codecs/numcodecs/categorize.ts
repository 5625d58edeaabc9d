import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import type { ArrayCodec, Elements } from '../codec.ts'
import { listMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { numbersOf } from '../numbers.ts'
import { numpyTypeMember } from './numpy-type.ts'

/** numcodecs' `categorize`: the place of each text in a list, from 1; 0 is the empty text. */
export const categorize: ArrayCodec = {
  kind: 'array',
  name: 'numcodecs.categorize',
  reach: 'native',
  prepare: (configuration, { shape, dataType }) => {
    const labels = ['', ...labelsOf(configuration)]
    const stored = numpyTypeMember(configuration, 'astype', { kind: 'uint', bits: 8 })
    const valuesOf = (elements: Elements) => {
      const places = numbersOf(fixedBytes(elements, 'numcodecs.categorize'), stored)
      return Array.from({ length: places.length }, (_, i) => labels[Number(places[i])] ?? '')
    }
    const isText = dataType.kind === 'string'
    if (!isText && (dataType.kind !== 'fixed-text' || dataType.encoding !== 'utf-32')) {
      const message = `numcodecs.categorize decodes to text, not to ${dataType.kind} values`
      throw unsupported(`categories of ${dataType.kind}`, message)
    }
    const bytesOf = (value: string) => scalarToBytes({ kind: 'string', value }, dataType)
    return {
      encodedLayout: { shape, dataType: stored },
      decode: (elements) =>
        isText
          ? { kind: 'text', values: valuesOf(elements) }
          : { kind: 'fixed', bytes: Buffer.concat(valuesOf(elements).map(bytesOf)) },
    }
  },
}

function labelsOf(configuration: JsonObject): string[] {
  return listMember(configuration, 'labels').map((label) => {
    if (typeof label !== 'string') throw malformed('numcodecs.categorize: a label is not text')
    return label
  })
}
