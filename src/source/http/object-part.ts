import type { ByteRange } from '../../bytes/byte-range.ts'
import { type ObjectPart, partRange } from '../source.ts'
import { contentRangeOf, headerOf, rangeHeader } from './answer.ts'
import type { HttpAnswer } from './exchange.ts'
import { unavailable } from './failures.ts'

/** The `Range` header of a part that is not empty. */
export function rangeHeaderOf(part: ObjectPart): string {
  if (part.kind === 'last') return `bytes=-${part.length}`
  return part.length === undefined ? `bytes=${part.offset}-` : rangeHeader({ offset: part.offset, length: part.length })
}

/** The part an answer says it brings, checked against the one that was asked for; undefined when it says none. */
export function toldPart(
  answer: HttpAnswer,
  part: ObjectPart | undefined,
): { readonly size: number; readonly range: ByteRange } | undefined {
  const text = headerOf(answer, 'content-range')
  if (answer.status === 200 && text === undefined) return undefined
  const told = contentRangeOf(answer)
  const fail = () => unavailable(`the origin answered ${answer.status} with content-range ${text}`, answer.url.href)
  if (told?.total === undefined) throw fail()
  // A part that begins behind the end is empty.
  const expected = partRange(part, told.total) ?? { offset: told.total, length: 0 }
  const { offset, length } = told.range ?? { offset: expected.offset, length: 0 }
  if (offset !== expected.offset || length !== expected.length) throw fail()
  return { size: told.total, range: expected }
}
