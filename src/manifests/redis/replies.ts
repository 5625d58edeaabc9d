// The protocol of Redis in its second version: https://redis.io/docs/latest/develop/reference/protocol-spec/

/** What a server says to one command; undefined: there is no such key. */
export type Reply = string | number | Uint8Array | ErrorReply | undefined

/** A command that was refused: the server is there, and can't or won't. */
export class ErrorReply extends Error {}

/** What no server of Redis says to the commands that are used here. */
export class ForeignReply extends Error {}

export interface ReplyReaderInput {
  /** Of one value; a longer one is never taken in. */
  readonly mostBytes: number
  onReply(reply: Reply): void
  /** So many bytes of a value follow. */
  onLength(length: number): void
}

const MOST_LINE = 4096
const LINE_END = '\r\n'

/** Cuts what comes from a server into replies, wherever its packets end. Throws `ForeignReply`; after that it is of no use. */
export class ReplyReader {
  readonly #input: ReplyReaderInput
  #line = ''
  /** A value under way, and the end of its line behind it. */
  #value: { readonly bytes: Buffer; filled: number } | undefined

  constructor(input: ReplyReaderInput) {
    this.#input = input
  }

  push(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) at += this.#value === undefined ? this.#takeLine(chunk, at) : this.#fill(chunk, at)
  }

  #takeLine(chunk: Buffer, at: number): number {
    const found = chunk.indexOf('\n', at)
    const end = found === -1 ? chunk.length : found + 1
    if (this.#line.length + end - at > MOST_LINE) throw new ForeignReply('a line without end')
    this.#line += chunk.toString('latin1', at, end)
    if (found !== -1) {
      const line = this.#line
      this.#line = ''
      if (!line.endsWith(LINE_END)) throw new ForeignReply('a line that is none')
      this.#begin(line.slice(0, 1), line.slice(1, -LINE_END.length))
    }
    return end - at
  }

  #begin(kind: string, text: string): void {
    if (kind === '+') this.#input.onReply(text)
    else if (kind === '-') this.#input.onReply(new ErrorReply(text))
    else if (kind === ':' && /^-?\d{1,15}$/.test(text)) this.#input.onReply(Number(text))
    else if (kind === '$' && text === '-1') this.#input.onReply(undefined)
    else if (kind === '$' && /^\d{1,15}$/.test(text)) this.#beginValue(Number(text))
    else throw new ForeignReply('an answer of no known kind')
  }

  #beginValue(length: number): void {
    if (length > this.#input.mostBytes) throw new ForeignReply(`a value of ${length} bytes`)
    this.#value = { bytes: Buffer.allocUnsafeSlow(length + LINE_END.length), filled: 0 }
    this.#input.onLength(length)
  }

  #fill(chunk: Buffer, at: number): number {
    const value = this.#value
    if (value === undefined) return 0
    const { bytes, filled } = value
    const copied = chunk.copy(bytes, filled, at)
    value.filled += copied
    if (value.filled < bytes.length) return copied
    this.#value = undefined
    const length = bytes.length - LINE_END.length
    if (bytes.toString('latin1', length) !== LINE_END) throw new ForeignReply('a value of another length')
    this.#input.onReply(bytes.subarray(0, length))
    return copied
  }
}

/** A command as it is sent, in parts: values are not copied. */
export function commandParts(words: readonly (string | Uint8Array)[]): (string | Uint8Array)[] {
  const parts: (string | Uint8Array)[] = [`*${words.length}${LINE_END}`]
  for (const word of words) {
    const length = typeof word === 'string' ? Buffer.byteLength(word) : word.length
    parts.push(`$${length}${LINE_END}`, word, LINE_END)
  }
  return parts
}
