import type { FastifyBaseLogger } from 'fastify'

/** Says in the log when the server of kept stores goes, and when it is back; what happens before there is a log is said then. */
export class RedisLog {
  #log: FastifyBaseLogger | undefined
  #unsaid: (() => void) | undefined

  readonly tell = (error: Error | undefined): void => {
    this.#unsaid = () => this.#say(error)
    if (this.#log !== undefined) this.#unsaid()
  }

  into(log: FastifyBaseLogger): void {
    this.#log = log
    this.#unsaid?.()
  }

  #say(error: Error | undefined): void {
    if (error === undefined) this.#log?.info('the server of VZ_REDIS_URL answers')
    else this.#log?.warn({ reason: error.message }, 'the server of VZ_REDIS_URL is not used until it answers in time')
  }
}
