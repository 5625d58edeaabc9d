import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { commandParts, type Reply, ReplyReader } from './replies.ts'

export type Command = readonly (string | Uint8Array)[]

/** An answer that did not come in time. */
export class LateReply extends Error {
  /** Whether it was this one's turn; else another one's value was under way, and nothing is wrong with the server. */
  readonly isServer: boolean

  constructor(isServer: boolean) {
    super('no answer in time')
    this.isServer = isServer
  }
}

export interface ConnectionInput {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  /** Of one value. */
  readonly mostBytes: number
  /** Told once, unless it was ended on purpose. */
  onEnd(error: Error): void
}

interface Waiting {
  readonly settle: (reply: Reply) => void
  readonly fail: (error: Error) => void
  deadline: number
  /** Whoever asked has gone on; what is answered is for nobody. */
  isOver: boolean
  timer?: NodeJS.Timeout
}

/** What a value under way may take besides: a millisecond for so many bytes. */
const BYTES_A_MILLISECOND = 65_536
const KEEP_ALIVE_MILLISECONDS = 30_000

/** One connection to a server: commands go out as they come, and are answered in their order. */
export class Connection {
  readonly #socket: Socket
  readonly #replies: ReplyReader
  readonly #waiting: Waiting[] = []
  readonly #onEnd: ConnectionInput['onEnd']
  #error: Error | undefined

  constructor({ host, port, isSecure, mostBytes, onEnd }: ConnectionInput) {
    this.#onEnd = onEnd
    this.#replies = new ReplyReader({
      mostBytes,
      onReply: (reply) => this.#answer(reply),
      onLength: (length) => this.#grant(length),
    })
    const servername = isIP(host) === 0 ? { servername: host } : {}
    this.#socket = isSecure ? connectSecurely({ host, port, ...servername }) : connect({ host, port })
    this.#socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MILLISECONDS)
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the server has closed the connection')))
  }

  get hasEnded(): boolean {
    return this.#error !== undefined
  }

  /** Bytes that are not sent yet. */
  get unsent(): number {
    return this.#socket.writableLength
  }

  /** Asks; throws `LateReply` when no answer has begun after so many milliseconds. What comes later is for nobody. */
  send(command: Command, milliseconds: number): Promise<Reply> {
    return new Promise((settle, fail) => {
      if (this.#error !== undefined) return fail(this.#error)
      const waiting: Waiting = { settle, fail, deadline: performance.now() + milliseconds, isOver: false }
      this.#waiting.push(waiting)
      this.#watch(waiting, milliseconds)
      this.#socket.cork()
      for (const part of commandParts(command)) this.#socket.write(part)
      this.#socket.uncork()
    })
  }

  end(): void {
    this.#close(new Error('the connection was ended'))
  }

  #take(chunk: Buffer): void {
    try {
      this.#replies.push(chunk)
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #answer(reply: Reply): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) throw new Error('an answer that nobody asked for')
    if (waiting.isOver) return
    clearTimeout(waiting.timer)
    waiting.isOver = true
    waiting.settle(reply)
  }

  /** A value is under way. */
  #grant(length: number): void {
    const [first] = this.#waiting
    if (first !== undefined) first.deadline += length / BYTES_A_MILLISECOND
  }

  /** Timers run before what has arrived is looked at: a process that was busy has one look before it calls an answer late. */
  #watch(waiting: Waiting, milliseconds: number): void {
    waiting.timer = setTimeout(() => setImmediate(() => this.#check(waiting)), milliseconds)
  }

  #check(waiting: Waiting): void {
    if (waiting.isOver) return
    const left = waiting.deadline - performance.now()
    if (left > 0) {
      this.#watch(waiting, left)
      return
    }
    waiting.isOver = true
    waiting.fail(new LateReply(this.#waiting[0] === waiting))
  }

  #fail(error: Error): void {
    if (this.#error !== undefined) return
    this.#close(error)
    this.#onEnd(error)
  }

  #close(error: Error): void {
    this.#error ??= error
    this.#socket.destroy()
    for (const waiting of this.#waiting.splice(0)) {
      clearTimeout(waiting.timer)
      if (!waiting.isOver) waiting.fail(error)
      waiting.isOver = true
    }
  }
}
