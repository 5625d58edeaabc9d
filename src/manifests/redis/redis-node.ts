import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Command, Connection, LateReply } from './connection.ts'
import type { RedisAddress } from './redis-address.ts'
import { ErrorReply, type Reply } from './replies.ts'

/** The server did not answer a moment ago: it is not asked. */
export class ServerDown extends Error {}

export interface NodeInput {
  readonly address: RedisAddress
  /** Of one value. */
  readonly mostBytes: number
  /** Told when it goes, with the reason, and when it is back. */
  onChange(error: Error | undefined): void
}

/** What a slow server costs, at most. */
const REPLY_MILLISECONDS = 20
/** Nobody waits for these. */
const OPENING_MILLISECONDS = 2000
const WRITING_MILLISECONDS = 1000
const WRITTEN_A_MILLISECOND = 16_384
/** A server that was slow or lost is left alone for so long; twice as long each time, and half as long after each good answer. */
const FIRST_PAUSE = 10
const LONGEST_PAUSE = 5000
/** Values on their way; more are not taken. */
const MOST_UNSENT = 64 * 2 ** 20

/**
 * One server. Whoever asks waits 20 ms at most, and not at all while it is known to be slow or gone: then it is tried again behind
 * everybody's back, and counts as there when it answers in time.
 */
export class RedisNode {
  readonly #input: NodeInput
  #state: 'unknown' | 'up' | 'down' | 'closed' = 'unknown'
  #reading: Connection | undefined
  /** Writing has a connection of its own: no question waits behind a long value. */
  #writing: Promise<Connection> | undefined
  readonly #first: Promise<void>
  #timer: NodeJS.Timeout | undefined
  #pause = FIRST_PAUSE
  /** What was told last. */
  #isThere: boolean | undefined

  constructor(input: NodeInput) {
    this.#input = input
    this.#first = this.#connect()
  }

  /** Asks on behalf of somebody who waits. */
  async ask(command: Command): Promise<Reply> {
    if (this.#state === 'unknown') await this.#firstConnection()
    const connection = this.#reading
    if (this.#state !== 'up' || connection === undefined) throw new ServerDown('the server is not there')
    try {
      const reply = await connection.send(command, REPLY_MILLISECONDS)
      this.#pause = Math.max(FIRST_PAUSE, this.#pause / 2)
      return reply
    } catch (error) {
      if (error instanceof LateReply && error.isServer) this.#doubt(connection)
      throw error
    }
  }

  /** Sends a value for which nobody waits. */
  async write(command: Command): Promise<Reply> {
    if (this.#state === 'unknown') await this.#first
    if (this.#state !== 'up') throw new ServerDown('the server is not there')
    const connection = await this.#writer()
    const bytes = command.reduce((sum, { length }) => sum + length, connection.unsent)
    if (bytes > MOST_UNSENT) throw new LateReply(false)
    try {
      return await connection.send(command, WRITING_MILLISECONDS + bytes / WRITTEN_A_MILLISECOND)
    } catch (error) {
      // What is half-sent there is in everybody's way.
      connection.end()
      throw error
    }
  }

  async #writer(): Promise<Connection> {
    const last = this.#writing
    const connection = await last?.catch(() => undefined)
    if (connection?.hasEnded === false) return connection
    // Somebody else may have opened another one meanwhile.
    if (this.#writing === last || this.#writing === undefined) this.#writing = this.#open()
    return await this.#writing
  }

  close(): void {
    this.#state = 'closed'
    this.#drop()
  }

  /** At the start the connection may still be under way. */
  async #firstConnection(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => void nextTurn().then(resolve), REPLY_MILLISECONDS)
    })
    await Promise.race([this.#first, late])
    clearTimeout(timer)
    if (this.#state !== 'unknown') return
    this.#state = 'down'
    throw new LateReply(true)
  }

  async #connect(): Promise<void> {
    try {
      const connection = await this.#open()
      if (this.#state === 'closed') return connection.end()
      this.#reading = connection
      await this.#prove(connection)
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** It counts as there when it answers as fast as it will have to. */
  async #prove(connection: Connection): Promise<void> {
    await connection.send(['PING'], REPLY_MILLISECONDS)
    if (this.#state === 'closed') return
    this.#state = 'up'
    this.#tell(undefined)
  }

  /** It is late. It may only be busy: it is not asked until all that was asked is answered, and it had its rest. */
  #doubt(connection: Connection): void {
    if (this.#state !== 'up' || this.#reading !== connection) return
    this.#state = 'down'
    const answered = connection.send(['PING'], OPENING_MILLISECONDS)
    answered.then(
      () => this.#later(() => this.#prove(connection).catch((error: Error) => this.#lose(error))),
      (error: Error) => this.#lose(error),
    )
  }

  async #open(): Promise<Connection> {
    const { address, mostBytes } = this.#input
    const connection = new Connection({
      ...address,
      mostBytes,
      onEnd: (error) => {
        if (this.#reading === connection) this.#lose(error)
      },
    })
    const replies = await Promise.all(
      greeting(address).map((command) => connection.send(command, OPENING_MILLISECONDS)),
    ).catch((error: unknown) => {
      connection.end()
      throw error
    })
    const refusal = replies.find((reply) => reply instanceof ErrorReply)
    if (refusal === undefined) return connection
    connection.end()
    throw refusal
  }

  #lose(error: Error): void {
    if (this.#state === 'closed' || this.#timer !== undefined) return
    this.#state = 'down'
    this.#drop()
    this.#later(() => this.#connect())
    this.#tell(error)
  }

  #later(next: () => Promise<void>): void {
    if (this.#state === 'closed') return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void next()
    }, this.#pause).unref()
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
  }

  #tell(error: Error | undefined): void {
    const isThere = error === undefined
    if (this.#isThere === isThere) return
    this.#isThere = isThere
    this.#input.onChange(error)
  }

  #drop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [reading, writing] = [this.#reading, this.#writing]
    this.#reading = undefined
    this.#writing = undefined
    reading?.end()
    void writing?.then((connection) => connection.end()).catch(() => undefined)
  }
}

/** Who we are, where we want to be, and whether all of that was taken well. */
function greeting({ username, password, database }: RedisAddress): readonly Command[] {
  return [
    ...(password === undefined ? [] : [['AUTH', ...(username === undefined ? [] : [username]), password]]),
    ...(database === 0 ? [] : [['SELECT', String(database)]]),
    ['PING'],
  ]
}
