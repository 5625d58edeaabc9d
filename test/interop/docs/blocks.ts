import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
  /** What the comment above it says: why it is not run here, or which test runs it. */
  readonly mark: string | undefined
  /** The `text` block right behind it: what it prints. */
  readonly output: string | undefined
}

/** The pages that users read: everything under docs but the records of decisions. */
export function pages(): readonly string[] {
  return [
    'README.md',
    ...globSync('docs/**/*.md', { cwd: ROOT }).filter((page) => !page.includes('decisions/')),
  ].toSorted()
}

/** All blocks of a page, each with its output; `text` blocks that are outputs are no blocks of their own. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(`${ROOT}${page}`, 'utf8')
  const fences = [...text.matchAll(/(?:^<!-- (?<mark>[^\n]*?) -->\n)?^```(?<language>\w*)\n(?<code>[\s\S]*?)^```$/gm)]
  return fences.flatMap(({ index, groups, 0: whole }, at) => {
    const { mark, language = '', code = '' } = groups ?? {}
    const before = fences[at - 1]
    if (language === 'text' && before !== undefined && endOf(before) + 1 >= index - 1) return []
    const next = fences[at + 1]
    const isFollowed = next?.groups?.['language'] === 'text' && next.index <= index + whole.length + 2
    const line = text.slice(0, index).split('\n').length
    return [{ page, line, language, code, mark, output: isFollowed ? next.groups?.['code'] : undefined }]
  })
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length
}

/** A mark that names a test must name one that is there and reads the page. */
export function isRunElsewhere({ mark = '', page }: Block): boolean {
  const [, test] = /^run by (\S+)$/.exec(mark) ?? []
  if (test === undefined) return false
  return existsSync(`${ROOT}${test}`) && readFileSync(`${ROOT}${test}`, 'utf8').includes(page.split('/').at(-1) ?? page)
}
