import { inflateSync } from 'node:zlib'
import { anyText } from '../../bytes/text.ts'
import { fromBase64 } from '../../fill-value/base64.ts'
import type { DmrVariable } from './document.ts'
import type { ElementAttributes } from './element-attributes.ts'
import type { Building, Frame } from './frame.ts'
import type { InlineBudget } from './inline-budget.ts'
import { countFromText } from './numbers.ts'

/** Texts that one variable may hold within its document. */
const MOST_TEXTS = 2 ** 21

/**
 * A `v` of a `vlsa`: `c` says how often it is repeated; where `s` gives its length, what stands there is base64 of zlib of it.
 */
export function textValue(
  values: string[],
  { storage }: DmrVariable,
  attributes: ElementAttributes,
  { spend }: Building,
): Frame {
  return {
    kind: 'text',
    take(text) {
      const times = attributes.has('c') ? countFromText(attributes.get('c')) : 1
      if (times === undefined || values.length + times > MOST_TEXTS) {
        storage.problem ??= `a text is repeated ${attributes.get('c')} times, at most ${MOST_TEXTS} texts are served`
        return
      }
      const size = attributes.get('s')
      const value = size === undefined ? text : inflatedText(text, countFromText(size), spend)
      if (value === undefined) storage.problem ??= "a compressed text can't be inflated to the length it says"
      else {
        // As they are served: a length before each.
        spend((4 + Buffer.byteLength(value)) * times)
        for (let i = 0; i < times; i++) values.push(value)
      }
    },
  }
}

function inflatedText(text: string, length: number | undefined, spend: InlineBudget): string | undefined {
  const bytes = fromBase64(text.replace(/\s+/g, ''))
  if (bytes === undefined || length === undefined) return undefined
  spend(length)
  const inflated = inflatedBytes(bytes, length)
  return inflated === undefined ? undefined : anyText(inflated)
}

/** What zlib packed, when it is that long; undefined otherwise. */
export function inflatedBytes(bytes: Uint8Array, length: number): Uint8Array | undefined {
  try {
    const inflated = inflateSync(bytes, { maxOutputLength: length + 1 })
    return inflated.length === length ? new Uint8Array(inflated.buffer, inflated.byteOffset, length) : undefined
  } catch {
    return undefined
  }
}
