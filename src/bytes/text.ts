import { isUtf8 } from 'node:buffer'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes; undefined where they are none. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? UTF8.decode(bytes) : undefined
}

/** A character for every byte (ISO 8859-1): marks of formats, and bytes that pass through text. */
export function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * Text whose encoding nobody wrote down, or wrote down truly: UTF-8, of which ASCII is a part, and where the bytes are none,
 * Latin-1, which has a character for every byte. `guessed` is told of that.
 */
export function anyText(bytes: Uint8Array, guessed?: () => void): string {
  const text = utf8Text(bytes)
  if (text !== undefined) return text
  guessed?.()
  return latin1Text(bytes)
}

/** The same of text that was read with a character for every byte; characters beyond those are left as they are. */
export function anyTextOf(characters: string, guessed?: () => void): string {
  return characters.replace(/[\u0080-\u00ff]+/g, (run) => anyText(Buffer.from(run, 'latin1'), guessed))
}

/** Bytes (a character for each) with those that are not ASCII spelled `\xe9`: a name whose encoding had to be guessed. */
export function spelledBytes(characters: string): string {
  return characters.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
