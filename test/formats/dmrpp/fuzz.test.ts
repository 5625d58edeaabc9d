import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { VirtualZarrError } from '../../../src/errors.ts'
import type { Member } from '../../../src/model/virtual-store.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { parse } from './parse.ts'

const FOLDER = new URL('../../fixtures/dmrpp/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.dmrpp'))
/** Ten times what the slowest takes on a busy machine; GUARD-6 allows 2 s. */
const MOST_MILLISECONDS = 1000
/** What is put somewhere in a document. */
const SPLINTERS = [
  '<',
  '>',
  '"',
  '-',
  '9999999999999999',
  '&',
  '/',
  '[',
  ']',
  ' ',
  '\0',
  '\ud7ff',
  '<Dim size="3"/>',
  'x',
]

/** Parses, and asks for the first and the last chunk of everything; only our own errors may come out. */
async function survive(text: string, what: string): Promise<void> {
  const began = processorMilliseconds()
  try {
    await readCorners((await parse(text)).root)
  } catch (error) {
    assert.ok(error instanceof VirtualZarrError, `${what}: ${String(error)}`)
  }
  const took = processorMilliseconds() - began
  assert.ok(took < MOST_MILLISECONDS, `${what} took ${took} ms`)
}

async function readCorners(node: Member): Promise<void> {
  if (node.kind === 'group') for (const member of node.members.values()) await readCorners(member)
  if (node.kind !== 'array' || asStored(node).chunks.gridShape.includes(0)) return
  assert.ok(node.shape.every((length) => Number.isSafeInteger(length) && length >= 0))
  assert.ok(node.chunkShape.every((length) => Number.isSafeInteger(length) && length > 0))
  for (const coords of [node.shape.map(() => 0), asStored(node).chunks.gridShape.map((length) => length - 1)]) {
    try {
      const ref = await asStored(node).chunks.at(coords)
      if (ref.kind === 'range') assert.ok(Number.isSafeInteger(ref.offset + ref.length) && ref.offset >= 0)
      if ('encoding' in ref) assert.ok(asStored(node).encodings[ref.encoding] !== undefined)
    } catch (error) {
      if (!(error instanceof VirtualZarrError)) throw error
    }
  }
}

for (const name of FILES) {
  const text = readFileSync(new URL(name, FOLDER), 'utf8')

  test(`${name}, cut off anywhere, is refused or read, in time`, async () => {
    for (let length = 0; length < text.length; length += 61)
      await survive(text.slice(0, length), `${name} to ${length}`)
  })

  test(`${name}, with anything anywhere, is refused or read, in time`, async () => {
    let state = 12_345
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * below)
    }
    for (let turn = 0; turn < 400; turn++) {
      const at = random(text.length)
      const splinter = SPLINTERS[random(SPLINTERS.length)] ?? ''
      const changed = text.slice(0, at) + splinter + text.slice(at + random(12))
      await survive(changed, `${name} at ${at} with ${JSON.stringify(splinter)}`)
    }
  })

  test(`${name}, with each number replaced by an odd one, is refused or read, in time`, async () => {
    for (const odd of ['0', '-1', '4294967296', '99999999999999999999', 'NaN', '']) {
      const places = [...text.matchAll(/\d+/g)].filter((_, i) => i % 7 === odd.length % 7)
      for (const { index, 0: digits } of places) {
        const changed = text.slice(0, index) + odd + text.slice(index + digits.length)
        await survive(changed, `${name} at ${index} with ${odd}`)
      }
    }
  })
}
