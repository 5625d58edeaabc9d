import { openFileSource } from './file.ts'
import type { FileRules } from './file-rules.ts'
import { assertInside } from './http/lazy.ts'
import type { Source, SourceCondition } from './source.ts'

/** A local file that a document named, opened when it is first read. */
export function lazyFileSource(url: URL, rules: FileRules, condition: SourceCondition = {}): Source {
  let opened: Source | undefined
  const open = async () => {
    opened ??= await openFileSource(url, rules, condition)
    return opened
  }
  return {
    url: url.href,
    get size() {
      return opened?.size ?? Number.POSITIVE_INFINITY
    },
    get validator() {
      return opened?.validator
    },
    get condition() {
      return opened?.condition
    },
    get modified() {
      return opened?.modified
    },
    async foresee(range) {
      assertInside(range, await open())
    },
    async read(range, options) {
      const source = await open()
      assertInside(range, source)
      return source.read(range, options)
    },
    async feed(range, options) {
      const source = await open()
      assertInside(range, source)
      return source.feed(range, options)
    },
  }
}
