import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { decodeField } from '../../../src/codecs/grib/field.ts'
import { grib } from '../../../src/formats/grib/index.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'

const FIXTURES = new URL('../../fixtures/grib/', import.meta.url)

interface ShortMessage {
  readonly label: string
  readonly message: string
  readonly values: string
}

/** Values by ecCodes 2.50.0: see make_short.py. */
const short: { readonly messages: readonly ShortMessage[] } = JSON.parse(
  readFileSync(new URL('short.json', FIXTURES), 'utf8'),
)

describe('spherical harmonics without their last byte are what ecCodes reads', () => {
  for (const { label, message, values } of short.messages) {
    test(label, async () => {
      const expected = new Float32Array(new Uint8Array(Buffer.from(values, 'base64')).buffer)
      const bytes = new Uint8Array(Buffer.from(message, 'base64'))
      assert.deepEqual(await decodeField(bytes, expected.length, 32), expected)
    })
  }
})

describe('fields of a packing that is not decoded are listed with the reason', () => {
  const messages = new Uint8Array(readFileSync(new URL('grids.grib', FIXTURES)))
  const start = indexOfEdition2(messages)
  const length = new DataView(messages.buffer).getUint32(start + 12)
  const usual = messages.subarray(start, start + length)

  for (const template of [53, 50_000, 50_002]) {
    test(`template 5.${template}`, async () => {
      const message = Uint8Array.from(usual)
      new DataView(message.buffer).setUint16(sectionAt(message, 5) + 9, template)
      const tree = await grib.parse(countingSource(message), parseContext().context)
      assert.ok(tree.kind === 'group')
      const skipped = [...tree.members].filter(([, { kind }]) => kind === 'skipped')
      assert.equal(skipped.length, 1)
      const [name, member] = skipped[0] ?? []
      assert.equal(name, 't')
      assert.ok(member?.kind === 'skipped')
      assert.equal(member.code, 'unsupported-feature')
      assert.match(member.reason, new RegExp(`template 5\\.${template} are not decoded`))
      assert.ok(tree.members.has('latitude'))
    })
  }
})

function indexOfEdition2(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) {
    if (Buffer.from(bytes.subarray(at, at + 4)).toString('latin1') === 'GRIB' && bytes[at + 7] === 2) return at
  }
  throw new RangeError('no message of edition 2')
}

function sectionAt(message: Uint8Array, number: number): number {
  const view = new DataView(message.buffer)
  let at = 16
  while (message[at + 4] !== number) at += view.getUint32(at)
  return at
}
