import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type RunningApp, runApp } from '../helpers/app.ts'
import type { Origin, OriginFile } from '../helpers/origin.ts'
import { randoms } from '../helpers/randoms.ts'
import type { IdentitySample } from './samples.ts'

// Replaces files between requests, and checks what is promised of ETags: equal strong ETags of a URL imply equal bytes.

/** An answer, however it was asked for. */
export interface FrontAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

/** A way to the service: a process, or a cache before some of them. */
export interface Front {
  readonly name: string
  /** Whether all its answers come of one process, which opens each file in one version at a time. */
  readonly isOneProcess: boolean
  ask(method: 'GET' | 'HEAD', path: string, headers: Readonly<Record<string, string>>): Promise<FrontAnswer>
}

/** The application in this process. */
export function frontOf(name: string, app: () => RunningApp): Front {
  return {
    name,
    isOneProcess: true,
    async ask(method, url, headers) {
      const { statusCode, headers: found, rawPayload } = await app().http.inject({ method, url, headers })
      const texts = Object.entries(found).map(([header, value]) => [header, value === undefined ? value : `${value}`])
      return { status: statusCode, headers: Object.fromEntries(texts), bytes: rawPayload }
    },
  }
}

/** What listens somewhere: a cache with processes behind it (their `VZ_ALLOW_SOURCES` must have the origin). */
export function frontAt(base: string): Front {
  return {
    name: base,
    isOneProcess: false,
    async ask(method, path, headers) {
      const answer = await fetch(new URL(path, base), {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, headers: Object.fromEntries(answer.headers), bytes }
    },
  }
}

/** How an origin tells versions apart. */
export const VALIDATORS = ['tag', 'date', 'tag and date', 'nothing, no ranges', 'nothing', 'weak tag'] as const
export type Validators = (typeof VALIDATORS)[number]

export interface IdentityInput {
  readonly sample: IdentitySample
  readonly validators: Validators
  readonly seed: number
  readonly steps: number
  readonly origin: Origin
  readonly fronts: readonly Front[]
  /** A process that nothing is replaced for: what it answers is right. */
  readonly still: Front
}

/** What came of it. */
export interface IdentityCount {
  requests: number
  replacements: number
  whole: number
  parts: number
  unchanged: number
  heads: number
  documents: number
  refused: number
  immutable: number
}

export function noCount(): IdentityCount {
  return {
    requests: 0,
    replacements: 0,
    whole: 0,
    parts: 0,
    unchanged: 0,
    heads: 0,
    documents: 0,
    refused: 0,
    immutable: 0,
  }
}

interface Chunk {
  readonly options: string
  readonly key: string
  /** The option that names a version, where one was asked for. */
  readonly pin?: string
}

/** Attacks one sample; throws with the seed and the last requests where a promise is broken. */
export async function attackIdentity(input: IdentityInput): Promise<IdentityCount> {
  const attack = new Attack(input)
  await attack.begin()
  for (let step = 0; step < input.steps; step++) await attack.step()
  attack.end()
  return attack.count
}

const MAX_ARRAYS = 3
const MAX_CHUNKS = 4
const MAX_TRACE = 14

/** Versions of the replaced files together, by their position in the list. */
type Combination = readonly (0 | 1)[]

class Attack {
  readonly count = noCount()
  readonly #input: IdentityInput
  readonly #random: () => number
  readonly #folder: string
  readonly #current = new Map<string, 0 | 1>()
  readonly #combinations: readonly Combination[]
  readonly #chunks: Chunk[] = []
  readonly #optionsOf: string[] = []
  /** Right answers, by combination, options and key; undefined for a chunk that nobody wrote. */
  readonly #right = new Map<string, string>()
  /** Bytes by URL and ETag. */
  readonly #bytes = new Map<string, Buffer>()
  /** ETags by URL that some front has given. */
  readonly #tags = new Map<string, string[]>()
  readonly #immutable = new Set<string>()
  readonly #answers = new Map<string, Set<string>>()
  /** Combinations that all answers since the last `zarr.json` fit, by front and deciding file. */
  readonly #possible = new Map<string, ReadonlySet<number>>()
  readonly #pins: string[] = []
  readonly #trace: string[] = []
  #puts = 0

  constructor(input: IdentityInput) {
    this.#input = input
    const numbers = randoms(input.seed)
    this.#random = () => numbers.next().value / 2 ** 32
    this.#folder = `${input.sample.name}-${VALIDATORS.indexOf(input.validators)}-${input.seed}`
    const { replaced, decidedBy } = input.sample
    const length = decidedBy === undefined ? replaced.length : 1
    assert.ok(length <= 3, 'more files decide together than there are combinations to try')
    this.#combinations = Array.from({ length: 2 ** length }, (_none, bits) =>
      Array.from({ length }, (_one, at) => ((bits >> at) & 1) as 0 | 1),
    )
  }

  async begin(): Promise<void> {
    const { sample } = this.#input
    for (const path of Object.keys(sample.files)) this.#put(path, 0)
    for (const [at, combination] of this.#combinations.entries()) this.#putStill(at, combination)
    const plain = await this.#stillArrays('')
    const [array] = plain
    assert.ok(array !== undefined, `${sample.name}: no array`)
    for (const options of sample.options ?? optionsFor(array)) {
      const arrays = options === '' ? plain : await this.#stillArrays(options)
      if (arrays.length === 0) continue
      this.#optionsOf.push(options)
      const keys = arrays.slice(0, MAX_ARRAYS).flatMap((one) => keysOf(one, this.#random))
      for (const key of keys) this.#chunks.push({ options, key })
    }
    // Where many files decide, chunks that were read stay the same while others push their handles out.
    if (sample.decidedBy !== undefined) await this.#readAll()
  }

  end(): void {
    const { origin, sample } = this.#input
    for (const path of Object.keys(sample.files)) {
      origin.remove(`${this.#folder}/${path}`)
      for (const at of this.#combinations.keys()) origin.remove(`${this.#folder}-still-${at}/${path}`)
    }
  }

  async step(): Promise<void> {
    const { sample, fronts } = this.#input
    const chance = this.#random()
    if (chance < 0.2) {
      // Of many files one that is asked for.
      const chunk = this.#any(this.#chunks)
      const path = sample.decidedBy?.(chunk.key) ?? this.#any(sample.replaced)
      this.#put(path, this.#current.get(path) === 0 ? 1 : 0)
      this.count.replacements++
      this.#note(`replaced ${path} by version ${this.#current.get(path)}`)
      return
    }
    const front = this.#any(fronts)
    if (chance < 0.35) await this.#askDocument(front)
    else await this.#askChunk(front)
  }

  async #readAll(): Promise<void> {
    const { sample, fronts } = this.#input
    const rows = sample.replaced.length
    for (const front of fronts)
      for (let row = 0; row < rows; row++) {
        const key = `a/c/${row}/0`
        await this.#ask(front, 'GET', this.#urlOf('', key), {}, { options: '', key })
      }
  }

  /** Versions are named by what is in them, so that one that comes back has its old name. */
  #toldOf(bytes: Uint8Array): Omit<OriginFile, 'bytes'> {
    const etag = `"${hashOf(bytes).slice(0, 12)}"`
    const lastModified = new Date(Date.UTC(2020, 0, 1) + this.#puts++ * 60_000).toUTCString()
    switch (this.#input.validators) {
      case 'tag':
        return { etag }
      case 'date':
        return { lastModified }
      case 'tag and date':
        return { etag, lastModified }
      case 'nothing, no ranges':
        return { ranges: false }
      case 'nothing':
        return {}
      case 'weak tag':
        return { etag: `W/${etag}` }
    }
  }

  #put(path: string, version: 0 | 1): void {
    const bytes = this.#input.sample.files[path]?.[version] ?? new Uint8Array(0)
    this.#current.set(path, version)
    this.#input.origin.put(`${this.#folder}/${path}`, { bytes, ...this.#toldOf(bytes) })
  }

  #putStill(at: number, combination: Combination): void {
    const { sample, origin } = this.#input
    for (const [path, versions] of Object.entries(sample.files)) {
      const place = sample.decidedBy === undefined ? sample.replaced.indexOf(path) : 0
      const bytes = versions[place < 0 ? 0 : (combination[place] ?? 0)]
      origin.put(`${this.#folder}-still-${at}/${path}`, { bytes, etag: `"${hashOf(bytes).slice(0, 12)}"` })
    }
  }

  async #stillArrays(options: string): Promise<readonly NamedArray[]> {
    const answer = await this.#input.still.ask('GET', this.#stillUrl(0, options, 'zarr.json'), {})
    return answer.status === 200 ? arraysOf(JSON.parse(answer.bytes.toString())) : []
  }

  #stillUrl(at: number, options: string, key: string): string {
    return urlIn(this.#input.origin.url(`${this.#folder}-still-${at}/${this.#input.sample.source}`), options, key)
  }

  #urlOf(options: string, key: string): string {
    return urlIn(this.#input.origin.url(`${this.#folder}/${this.#input.sample.source}`), options, key)
  }

  async #askDocument(front: Front): Promise<void> {
    const options = this.#any(this.#optionsOf) + this.#maybePin()
    const url = this.#urlOf(options, 'zarr.json')
    const coding: Record<string, string> = this.#random() < 0.5 ? { 'accept-encoding': 'gzip' } : {}
    const answer = await this.#ask(front, 'GET', url, { ...coding, ...this.#maybeHeld(url) }, undefined)
    this.count.documents++
    for (const key of this.#possible.keys()) if (key.startsWith(`${front.name} `)) this.#possible.delete(key)
    const [pin] = /;version=[\w-]+/.exec(answer.headers['link'] ?? '') ?? []
    if (pin !== undefined && !this.#pins.includes(pin)) this.#pins.push(pin)
  }

  async #askChunk(front: Front): Promise<void> {
    const { options, key } = this.#any(this.#chunks)
    const pin = this.#maybePin()
    const url = this.#urlOf(options + pin, key)
    const chunk = { options, key, pin }
    const chance = this.#random()
    if (chance < 0.15) await this.#ask(front, 'HEAD', url, {}, chunk)
    else if (chance < 0.4) await this.#ask(front, 'GET', url, this.#maybeHeld(url, 1), chunk)
    else if (chance < 0.7) {
      const first = Math.floor(this.#random() * 40)
      const range = `bytes=${first}-${first + Math.floor(this.#random() * 200)}`
      const held = this.#maybeTag(url, 0.7)
      await this.#ask(front, 'GET', url, { range, ...(held === undefined ? {} : { 'if-range': held }) }, chunk)
    } else await this.#ask(front, 'GET', url, {}, chunk)
  }

  #maybePin(): string {
    return this.#pins.length > 0 && this.#random() < 0.35 ? this.#any(this.#pins) : ''
  }

  #maybeTag(url: string, share: number): string | undefined {
    const known = this.#tags.get(url) ?? []
    return known.length > 0 && this.#random() < share ? this.#any(known) : undefined
  }

  #maybeHeld(url: string, share = 0.5): Record<string, string> {
    const held = this.#maybeTag(url, share)
    return held === undefined ? {} : { 'if-none-match': held }
  }

  async #ask(
    front: Front,
    method: 'GET' | 'HEAD',
    url: string,
    headers: Readonly<Record<string, string>>,
    chunk: Chunk | undefined,
  ): Promise<FrontAnswer> {
    const answer = await front.ask(method, url, headers)
    const { status } = answer
    this.count.requests++
    const shown = url.replace(/^\/zarr\/~[\w-]+/, '')
    this.#note(
      `${front.name}: ${method} ${shown} ${JSON.stringify(headers)}: ${status} ${answer.headers['etag'] ?? ''} ${hashOf(answer.bytes).slice(0, 8)} ${answer.headers['cache-control'] ?? ''}`,
    )
    this.#check([200, 206, 304, 404, 409, 416].includes(status), `status ${status}: ${answer.bytes.subarray(0, 500)}`)
    // A range behind the end tells nothing of the bytes.
    if (status === 416) return answer
    if (status === 409) this.count.refused++
    else if (status === 404) await this.#observe(front, chunk, undefined)
    else await this.#checkAnswer(front, method, url, headers, answer, chunk)
    return answer
  }

  async #checkAnswer(
    front: Front,
    method: 'GET' | 'HEAD',
    url: string,
    headers: Readonly<Record<string, string>>,
    { status, headers: found, bytes }: FrontAnswer,
    chunk: Chunk | undefined,
  ): Promise<void> {
    const etag = found['etag']
    const isStrong = etag?.startsWith('"') === true
    const name = `${url} ${etag}`
    if (isStrong && this.#tags.get(url)?.includes(etag) !== true)
      this.#tags.set(url, [...(this.#tags.get(url) ?? []), etag])
    const known = isStrong ? this.#bytes.get(name) : undefined
    if (found['cache-control']?.includes('immutable') === true) {
      this.count.immutable++
      this.#immutable.add(url)
    }
    if (method === 'HEAD') {
      this.count.heads++
      if (known === undefined) return
      this.#check(Number(found['content-length']) === known.length, 'the length that HEAD tells is that of the ETag')
      await this.#observe(front, chunk, known)
    } else if (status === 304) {
      this.count.unchanged++
      this.#check(headers['if-none-match'] === etag, '304 for an ETag that was not asked about')
      if (known !== undefined) await this.#observe(front, chunk, known)
    } else if (status === 206) {
      this.count.parts++
      const wanted = headers['if-range']
      this.#check(wanted === undefined || wanted === etag, `206 of ${etag}, with If-Range ${wanted}`)
      const [, first = '', last = ''] = /bytes (\d+)-(\d+)\//.exec(found['content-range'] ?? '') ?? []
      if (known === undefined) return
      const right = known.subarray(Number(first), Number(last) + 1)
      this.#check(right.equals(bytes), 'a part of other bytes than those of its ETag')
      await this.#observe(front, chunk, known)
    } else {
      this.count.whole++
      this.#check(known === undefined || known.equals(bytes), 'other bytes under the same strong ETag')
      if (isStrong) this.#bytes.set(name, bytes)
      this.#answers.set(url, (this.#answers.get(url) ?? new Set()).add(`${found['content-encoding']} ${hashOf(bytes)}`))
      await this.#observe(front, chunk, bytes)
    }
    const codings = [...(this.#answers.get(url) ?? [])].map((answer) => answer.split(' ', 1)[0])
    const isOther = new Set(codings).size < codings.length
    this.#check(!this.#immutable.has(url) || !isOther, 'an immutable answer has changed')
  }

  /** A chunk is of the files of one combination of versions, and since `zarr.json` was asked for of one only. */
  async #observe(front: Front, chunk: Chunk | undefined, bytes: Buffer | undefined): Promise<void> {
    if (chunk === undefined) return
    const { sample } = this.#input
    const fitting = new Set<number>()
    for (const at of this.#combinations.keys()) {
      if ((await this.#rightHash(at, chunk)) === (bytes === undefined ? 'absent' : hashOf(bytes))) fitting.add(at)
    }
    this.#check(fitting.size > 0, `bytes of no version, or of several: ${chunk.options} ${chunk.key}`)
    if (!sample.isPinned || !front.isOneProcess) return
    const key = [front.name, sample.decidedBy?.(chunk.key), sample.opensVersions === true ? chunk.pin : ''].join(' ')
    const before = this.#possible.get(key)
    const possible = before === undefined ? fitting : new Set([...fitting].filter((at) => before.has(at)))
    this.#check(possible.size > 0, 'another version of a file than earlier answers, and zarr.json was not asked for')
    this.#possible.set(key, possible)
  }

  async #rightHash(at: number, { options, key }: Chunk): Promise<string> {
    const name = `${at} ${options} ${key}`
    const known = this.#right.get(name)
    if (known !== undefined) return known
    const { status, bytes } = await this.#input.still.ask('GET', this.#stillUrl(at, options, key), {})
    assert.ok([200, 404].includes(status), `${this.#input.sample.name} ${name}: ${status} ${bytes}`)
    const right = status === 404 ? 'absent' : hashOf(bytes)
    this.#right.set(name, right)
    return right
  }

  #note(text: string): void {
    this.#trace.push(text)
    if (this.#trace.length > MAX_TRACE) this.#trace.shift()
  }

  #check(isRight: boolean, what: string): void {
    if (isRight) return
    const { sample, validators, seed } = this.#input
    assert.fail(`${what}\n${sample.name}, ${validators}, seed ${seed}:\n  ${this.#trace.join('\n  ')}`)
  }

  #any<T>(list: readonly T[]): T {
    const item = list[Math.floor(this.#random() * list.length)]
    assert.ok(item !== undefined)
    return item
  }
}

interface NamedArray {
  readonly path: string
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly names: readonly (string | null)[]
}

interface ArrayDocument {
  readonly node_type: string
  readonly shape: readonly number[]
  readonly dimension_names?: readonly (string | null)[]
  readonly chunk_grid: { readonly configuration: { readonly chunk_shape: readonly number[] } }
  readonly consolidated_metadata?: { readonly metadata: Readonly<Record<string, ArrayDocument>> }
}

/** Arrays of a store, those with most points first. */
function arraysOf(root: ArrayDocument): readonly NamedArray[] {
  const nodes = Object.entries({ '': root, ...root.consolidated_metadata?.metadata })
  const size = (shape: readonly number[]) => shape.reduce((product, length) => product * length, 1)
  return nodes
    .filter(([, { node_type }]) => node_type === 'array')
    .map(([path, { shape, chunk_grid, dimension_names = [] }]) => ({
      path,
      shape,
      chunkShape: chunk_grid.configuration.chunk_shape,
      names: dimension_names,
    }))
    .filter(({ shape }) => size(shape) > 0)
    .toSorted((one, other) => size(other.shape) - size(one.shape))
}

function optionsFor({ path, shape, names }: NamedArray): readonly string[] {
  const [name, length] = [names.at(-1), shape.at(-1)]
  const views = ['', ';codecs=raw', ';codecs=native', ';pyramid=mean']
  if (path !== '') views.push(`;inline=${encodeURIComponent(path)}`)
  if (typeof name !== 'string' || length === undefined || length < 2) return views
  const dimension = encodeURIComponent(name)
  views.push(`;chunks=${dimension}:${Math.ceil(length / 3) + 1}`, `;select=${dimension}:0..${Math.ceil(length / 2)}`)
  views.push(`;select=${dimension}:1..${length};chunks=${dimension}:${length};codecs=raw`)
  return views
}

function keysOf({ path, shape, chunkShape }: NamedArray, random: () => number): readonly string[] {
  const grid = shape.map((length, axis) => Math.ceil(length / (chunkShape[axis] ?? 1)))
  const keys = new Set<string>()
  for (let tries = 0; tries < 2 * MAX_CHUNKS && keys.size < MAX_CHUNKS; tries++) {
    const coords = grid.map((count) => Math.floor(random() * count))
    keys.add(`${path === '' ? '' : `${path}/`}${['c', ...coords].join('/')}`)
  }
  return [...keys]
}

function urlIn(source: string, options: string, key: string): string {
  return `/zarr/~${Buffer.from(source).toString('base64url')}${options}/${key.split('/').map(encodeURIComponent).join('/')}`
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Two processes, one of which asks its origins before each answer that it does not read, and one for what is right. */
export async function startFronts(
  origin: Origin,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly fronts: readonly Front[]; readonly still: Front; close(): Promise<void> }> {
  const allowed = { VZ_ALLOW_SOURCES: origin.base, ...environment }
  const apps = [
    await runApp({}, { ...allowed, VZ_FRESH_SECONDS: '0' }),
    await runApp({}, { ...allowed, VZ_FRESH_SECONDS: '600' }),
    await runApp({}, allowed),
  ] as const
  const [strict, patient, still] = apps
  return {
    fronts: [frontOf('strict', () => strict), frontOf('patient', () => patient)],
    still: frontOf('still', () => still),
    close: async () => void (await Promise.all(apps.map((app) => app.close()))),
  }
}
