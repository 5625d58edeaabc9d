import { lazily } from '../../../lazily.ts'
import type { KeyValue } from '../messages/field.ts'
import { TEMPLATES } from './templates.ts'
import { unpackedLines } from './text.ts'

const loadedTemplates = lazily(
  () => new Map(unpackedLines(TEMPLATES).map((line) => [line.slice(0, line.indexOf(' ')), line.split(' ').slice(1)])),
)

/** Turns of a repeated part that are read: what is asked for stands in the first ones. */
const MOST_TURNS = 8

/** Keys by name; those of a repeated part have their values in the order of the turns. */
export type TemplateKeys = ReadonlyMap<string, readonly KeyValue[]>

/** The keys of a section by its template; none where the template is not known. */
export function templateKeys(template: string, bytes: Uint8Array, start: number): TemplateKeys {
  const keys = new Map<string, KeyValue[]>()
  readTokens({ tokens: loadedTemplates().get(template) ?? [], bytes, keys }, start)
  return keys
}

interface Reading {
  readonly tokens: readonly string[]
  readonly bytes: Uint8Array
  readonly keys: Map<string, KeyValue[]>
}

function readTokens({ tokens, bytes, keys }: Reading, start: number): void {
  let at = start
  for (let next = 0; next < tokens.length; next++) {
    const token = tokens[next] ?? ''
    if (token.startsWith('{')) {
      const end = tokens.indexOf('}', next)
      const turns = Number(keys.get(countName(token.slice(1)))?.[0]?.value ?? 0)
      const inner = tokens.slice(next + 1, end)
      for (let turn = 0; turn < turns; turn++) {
        if (turn < MOST_TURNS) readTokens({ tokens: inner, bytes, keys }, at)
        at += inner.reduce((sum, field) => sum + sizeOf(field), 0)
      }
      next = end
      continue
    }
    const [name = ''] = token.split(':')
    const size = sizeOf(token)
    if (at + size > bytes.length) return
    const value = keyValue(bytes.subarray(at, at + size), token.includes(':-'))
    const known = keys.get(name)
    if (known === undefined) keys.set(name, [value])
    else known.push(value)
    at += size
  }
}

/** Counts that have another name where they stand. */
function countName(name: string): string {
  return name === 'numberOfContributingSpectralBands' ? 'NB' : name
}

function sizeOf(token: string): number {
  return Math.abs(Number(token.slice(token.indexOf(':') + 1)))
}

function keyValue(bytes: Uint8Array, hasSign: boolean): KeyValue {
  let value = 0
  let isMissing = true
  for (const byte of bytes) {
    value = value * 256 + byte
    if (byte !== 255) isMissing = false
  }
  const half = 2 ** (8 * bytes.length - 1)
  return { value: hasSign && value >= half ? half - value : value, isMissing }
}
