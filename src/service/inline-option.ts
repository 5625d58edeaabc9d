import { invalidRequest } from '../errors.ts'
import { type InlineChoice, MOST_INLINE_BYTES } from '../views/inline.ts'

/** What clients read whole when they open a store, and what is smaller than a request is worth. */
const AUTO = { bytes: 2 ** 16, coordinateBytes: 2 ** 20 }

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, M: 2 ** 20 }
const MOST_NAMES = 1000

/** `auto`, a size (`64k`), names of arrays, or several of these; a slash in front makes a name of what else would be another. */
export function readInline(text: string, name: string): InlineChoice {
  const names = new Set<string>()
  let [bytes, coordinateBytes] = [0, 0]
  for (const item of text.split(',')) {
    const asked = item.trim()
    const size = asked === 'auto' ? AUTO : sizeOf(asked, text, name)
    if (size === undefined) names.add(asked.replace(/^\/+|\/+$/g, ''))
    bytes = Math.max(bytes, size?.bytes ?? 0)
    coordinateBytes = Math.max(coordinateBytes, size?.coordinateBytes ?? 0)
  }
  if (names.has('') || names.size > MOST_NAMES) throw badInline(text, name)
  return { names: [...names].sort(), bytes, coordinateBytes }
}

function sizeOf(asked: string, text: string, name: string): typeof AUTO | undefined {
  const match = /^(\d{1,9})([kM]?)$/.exec(asked)
  if (match === null) return undefined
  const bytes = Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1)
  if (bytes > MOST_INLINE_BYTES) throw badInline(text, name)
  return { bytes, coordinateBytes: bytes }
}

function badInline(text: string, option: string): Error {
  const allowed = 'auto, a size of at most 16M such as 64k, names of arrays, separated by commas'
  return invalidRequest(`option ${option} is ${JSON.stringify(text.slice(0, 100))}, allowed: ${allowed}`, { option })
}
