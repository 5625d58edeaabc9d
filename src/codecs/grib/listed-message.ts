// A message of GRIB 2 that nobody read when the file was opened, since an index beside it said what it is. Its sections are compared with those
// by which its array was made, so that a wrong index is an error and never another field's values.

import { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'

const MAGIC = 'GRIB'
const END = '7777'
const EDITION = 2
const INDICATOR_BYTES = 16
const SECTION_HEADER_BYTES = 5
const DATA_SECTION = 7
/** Of what stands before the message: its length, and the discipline. */
const EXPECTED_HEADER_BYTES = 5

/** What must be found in a message, to stand before its bytes: its discipline, and the sections 1 to 4 (2 may be none) with their lengths and numbers. */
export function expectedHeader(discipline: number, sections: readonly Uint8Array[]): Uint8Array {
  const length = sections.reduce((sum, section) => sum + section.length, EXPECTED_HEADER_BYTES)
  const header = new Uint8Array(length)
  new DataView(header.buffer).setUint32(0, length)
  header[4] = discipline
  let at = EXPECTED_HEADER_BYTES
  for (const section of sections) {
    header.set(section, at)
    at += section.length
  }
  return header
}

/** The message behind its expected header; throws `malformed-source` where it is another one, or not one field. */
export function checkedMessage(bytes: Uint8Array): Uint8Array {
  const cursor = new Cursor(bytes, 'big', { format: 'grib' })
  const length = cursor.u32()
  const discipline = cursor.u8()
  const expected = cursor.take(length - EXPECTED_HEADER_BYTES)
  const message = cursor.take(cursor.remaining)
  if (text(message, 0, MAGIC.length) !== MAGIC || message[7] !== EDITION) {
    throw contradiction('there is no message of edition 2')
  }
  const said = new DataView(message.buffer, message.byteOffset, message.byteLength).getBigUint64(8)
  if (said !== BigInt(message.length)) throw contradiction(`the message has ${said} bytes, expected ${message.length}`)
  if (text(message, message.length - END.length, END.length) !== END)
    throw contradiction(`the message does not end with ${END}`)
  if (message[6] !== discipline)
    throw contradiction(`the message is of discipline ${message[6]}, expected ${discipline}`)
  compareSections(message.subarray(INDICATOR_BYTES), expected)
  checkSingle(message)
  return message
}

function compareSections(found: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(found.subarray(0, expected.length), expected) === 0) return
  const view = new DataView(expected.buffer, expected.byteOffset, expected.byteLength)
  for (let at = 0; at < expected.length; ) {
    const end = at + view.getUint32(at)
    if (Buffer.compare(found.subarray(at, end), expected.subarray(at, end)) !== 0) {
      throw contradiction(
        `section ${expected[at + 4]} of the message is not what its kind and its line in the index lead to expect`,
      )
    }
    at = end
  }
}

/** One field: sections run up to 7, and nothing follows. */
function checkSingle(message: Uint8Array): void {
  const cursor = new Cursor(message, 'big', { format: 'grib' })
  cursor.seek(INDICATOR_BYTES)
  let last = 0
  while (last !== DATA_SECTION) {
    const length = cursor.u32()
    const number = cursor.u8()
    if (length < SECTION_HEADER_BYTES || number <= last) {
      throw contradiction(`a section ${number} of ${length} bytes follows section ${last}`)
    }
    cursor.skip(length - SECTION_HEADER_BYTES)
    last = number
  }
  if (cursor.remaining !== END.length) throw contradiction(`${cursor.remaining} bytes follow its first field`)
}

function contradiction(what: string): Error {
  return malformed(
    `the index beside the file does not fit this message: ${what}. Remove or renew the index (.idx, .index), then open the source again`,
    { format: 'grib' },
  )
}

function text(bytes: Uint8Array, offset: number, length: number): string {
  return Buffer.from(bytes.subarray(offset, offset + length)).toString('latin1')
}
