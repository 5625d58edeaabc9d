import type { Command } from './connection.ts'
import { slotOf } from './key-slot.ts'
import type { RedisAddress } from './redis-address.ts'
import { type NodeInput, RedisNode } from './redis-node.ts'
import { ErrorReply, type Reply } from './replies.ts'

/** A cluster that sends a question around more often is not of one mind. */
const MOST_HOPS = 3
const MOST_NODES = 1024

/** A server, or a cluster of them: then the one that was named tells where a key is, and that is remembered. */
export class RedisCluster {
  readonly #input: NodeInput
  readonly #nodes = new Map<string, RedisNode>()
  /** Places of slots that the server that was named has not. */
  readonly #places = new Map<number, RedisAddress>()

  constructor(input: NodeInput) {
    this.#input = input
    this.#nodeAt(input.address)
  }

  /** Asks the one who has a key; `tag` is what is hashed of it. */
  async ask(tag: string, command: Command, way: 'ask' | 'write' = 'ask'): Promise<Reply> {
    const slot = slotOf(tag)
    for (let hop = 0; hop <= MOST_HOPS; hop++) {
      const place = this.#places.get(slot) ?? this.#input.address
      const reply = await this.#askAt(place, slot, command, way)
      const moved = reply instanceof ErrorReply ? movedTo(reply.message, place) : undefined
      if (moved === undefined) return reply
      this.#places.set(slot, moved)
    }
    throw new ErrorReply('the cluster sends it around')
  }

  close(): void {
    for (const node of this.#nodes.values()) node.close()
  }

  async #askAt(place: RedisAddress, slot: number, command: Command, way: 'ask' | 'write'): Promise<Reply> {
    try {
      return await this.#nodeAt(place)[way](command)
    } catch (error) {
      // Another one may have taken over what this one had.
      this.#places.delete(slot)
      throw error
    }
  }

  #nodeAt(address: RedisAddress): RedisNode {
    const key = `${address.host} ${address.port}`
    const known = this.#nodes.get(key)
    if (known !== undefined) return known
    if (this.#nodes.size >= MOST_NODES) throw new ErrorReply('a cluster of too many servers')
    const node = new RedisNode({ ...this.#input, address })
    this.#nodes.set(key, node)
    return node
  }
}

/** `MOVED 3999 host:6381`; without a host it is the one that was asked. */
function movedTo(error: string, asked: RedisAddress): RedisAddress | undefined {
  const [, host = '', port] = /^MOVED \d{1,5} \[?([^\s\]]*)\]?:(\d{1,5})$/.exec(error) ?? []
  if (port === undefined) return undefined
  return { ...asked, host: host === '' || host === '?' ? asked.host : host, port: Number(port) }
}
