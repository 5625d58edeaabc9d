import { get, request } from 'node:http'
import type { BombOrigin, Generated } from '../hostile/bomb-origin.ts'

/** Where an attack finds its sources and its victim. */
export interface AttackContext {
  readonly serverUrl: string
  readonly origin: BombOrigin
  /** A host that takes connections and never answers. */
  readonly stalledUrl: string
  /** Aborts when the attack has to end. */
  readonly signal: AbortSignal
  /** Of every answer to the attack. */
  readonly statuses: Map<string, number>
}

/** What strangers may ask of a server, meant to end or to block it. */
export interface Attack {
  readonly name: string
  readonly settings?: Readonly<Record<string, string>>
  /** Its clients leave after this time, where half a minute is too short to do harm. */
  readonly maxMilliseconds?: number
  readonly files?: () => Readonly<Record<string, Uint8Array | Generated>>
  run(context: AttackContext): Promise<void>
}

export function storePath(source: string, options: string, key: string): string {
  return `/zarr/~${Buffer.from(source).toString('base64url')}${options}/${key}`
}

/** Asks, and reads the answer to its end; what doesn't answer at all is counted as such. */
export async function ask(context: AttackContext, path: string): Promise<number> {
  const status = await new Promise<number | string>((resolve) => {
    const sent = get(`${context.serverUrl}${path}`, { agent: false, signal: context.signal }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 'cut'))
      response.on('error', () => resolve('cut'))
    })
    sent.on('error', () => resolve(context.signal.aborted ? 'left' : 'no answer'))
  })
  context.statuses.set(String(status), (context.statuses.get(String(status)) ?? 0) + 1)
  return Number(status)
}

/** Asks, and never reads the answer. */
export async function askIdly(context: AttackContext, path: string): Promise<void> {
  const count = (answer: string) => void context.statuses.set(answer, (context.statuses.get(answer) ?? 0) + 1)
  await new Promise<void>((resolve) => {
    const sent = request(`${context.serverUrl}${path}`, { agent: false, signal: context.signal }, (response) => {
      count(String(response.statusCode))
      response.pause()
      response.on('close', resolve)
      response.on('error', () => undefined)
    })
    sent.on('error', () => {
      count(context.signal.aborted ? 'left' : 'no answer')
      resolve()
    })
    sent.end()
  })
}
