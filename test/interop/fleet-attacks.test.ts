import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Fleet, installed, startFleet } from '../../deploy/fleet/local.ts'
import { StoreSigner } from '../../src/service/signed-stores.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { randoms } from '../helpers/randoms.ts'
import { type RawAnswer, rawRequest } from '../helpers/raw-request.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'

// What strangers get from the shared cache of deploy/fleet, with nginx as it is shipped: private stores, expired signatures, and links
// that other people's headers chose. Each attack answers what it got, or undefined where it got nothing.

const KEY = 'alice-0123456789abcdef'
const SIGNING = 'signing-0123456789abcdef0123456789abcdef'
const EVIL = 'evil.example'
const skip = installed('nginx') === undefined ? 'nginx is not installed' : false

interface Attack {
  readonly name: string
  run(): Promise<string | undefined>
}

type Headers = Readonly<Record<string, string>>

/** Requests as they are written here: `fetch` chooses the host itself, and tidies up what it is given. */
function askerOf(fleet: Fleet): (path: string, headers?: Headers) => Promise<RawAnswer> {
  const { port, host } = new URL(fleet.url)
  return async (path, headers = {}) => await rawRequest(Number(port), path, { host, ...headers })
}

const encoded = (url: string) => `/zarr/~${Buffer.from(url).toString('base64url')}`
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function isWithheld(answer: RawAnswer): Promise<string | undefined> {
  return answer.status === 401 ? undefined : `${answer.status}, ${answer.body.length} bytes`
}

/** Runs the attacks one after the other, and tells of each what came of it. */
async function check(t: { diagnostic(text: string): void }, attacks: readonly Attack[]): Promise<void> {
  const got: string[] = []
  for (const { name, run } of attacks) {
    const found = await run()
    t.diagnostic(`${name}: ${found ?? 'nothing'}`)
    if (found !== undefined) got.push(`${name}: ${found}`)
  }
  assert.deepEqual(got, [])
}

async function withFleet(environment: Headers, use: (fleet: Fleet, origin: Origin) => Promise<void>): Promise<void> {
  const origin = await startOrigin()
  const fleet = await startFleet({ VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '1', ...environment })
  try {
    await use(fleet, origin)
  } finally {
    await fleet.close()
    await origin.close()
  }
}

test('a fleet with keys: what its readers read, strangers do not get from the cache', { skip }, async (t) => {
  await withFleet({ VZ_API_KEYS: `alice:${KEY}`, VZ_SIGNING_KEYS: SIGNING }, async (fleet, origin) => {
    const ask = askerOf(fleet)
    const mine = { authorization: `Bearer ${KEY}` }
    const file = netcdf3File({ rows: 10, columns: 10 })
    const chunk = file.subarray(file.length - 400)
    const sourceOf = (name: string) => {
      origin.put(name, { bytes: file, etag: `"${name}"` })
      return origin.url(name)
    }
    /** The pinned store of a file that nobody has asked for. */
    const pinned = async (name: string) => {
      const url = sourceOf(name)
      const { body } = await ask(`/resolve?url=${encodeURIComponent(url)}`, mine)
      return `${encoded(url)};version=${encodeURIComponent(JSON.parse(body.toString()).version)}`
    }
    /** A reader who may, until the cache would have it; then one who may not. */
    const afterReader = (name: string, key: string, headers: Headers): Attack => ({
      name: `${key} of a pinned store after a reader with ${Object.keys(headers).join()}`,
      async run() {
        const path = `${await pinned(name)}/${key}`
        for (let at = 0; at < 2; at++) {
          const answer = await ask(path, headers)
          assert.equal(answer.status, 200)
          if (key.includes('/c/')) assert.ok(answer.body.equals(chunk))
        }
        return isWithheld(await ask(path))
      },
    })
    const signedPath = async (name: string, seconds: number) => {
      const path = await pinned(name)
      const version = decodeURIComponent(/;version=(.*)/.exec(path)?.[1] ?? '')
      const store = { source: origin.url(name), options: new Map([['version', version]]) }
      const texts = new StoreSigner([SIGNING]).sign(store, Math.floor(Date.now() / 1000) + seconds)
      return (
        encoded(origin.url(name)) + [...texts].map(([key, value]) => `;${key}=${encodeURIComponent(value)}`).join('')
      )
    }
    const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
      ';sig=': (path) => path,
      '%3Bsig%3D': (path) => path.replaceAll(';', '%3B').replaceAll('=', '%3D'),
      ';%73ig=': (path) => path.replace(';sig', ';%73ig'),
      ';s%69%67%3d': (path) => path.replace(';sig=', ';s%69%67%3d'),
    }
    const expired = ([spelling, spell]: [string, (path: string) => string], at: number): Attack => ({
      name: `a signed URL after its end, spelled ${spelling}`,
      async run() {
        const path = `${spell(await signedPath(`s${at}.nc`, 3))}/temperature/c/0/0`
        for (let time = 0; time < 2; time++) assert.equal((await ask(path)).status, 200)
        await pause(4000)
        return isWithheld(await ask(path))
      },
    })
    const kept = await pinned('kept.nc')
    await check(t, [
      afterReader('a1.nc', 'temperature/c/0/0', mine),
      afterReader('a2.nc', 'temperature/c/0/0', { 'x-api-key': KEY }),
      afterReader('a3.nc', 'zarr.json', mine),
      ...Object.entries(SPELLINGS).map(expired),
      {
        name: 'an index page after a reader with authorization',
        async run() {
          const path = `${await pinned('a4.nc')}/`
          assert.equal((await ask(path, mine)).status, 200)
          return isWithheld(await ask(path))
        },
      },
      {
        name: 'a document without a version after a reader with authorization',
        async run() {
          const path = `${encoded(sourceOf('a5.nc'))}/zarr.json`
          for (let at = 0; at < 2; at++) assert.equal((await ask(path, mine)).status, 200)
          return isWithheld(await ask(path))
        },
      },
      {
        name: 'a reader with a key is answered from the cache',
        async run() {
          for (let at = 0; at < 2; at++) await ask(`${kept}/temperature/c/0/0`, mine)
          const { headers } = await ask(`${kept}/temperature/c/0/0`, mine)
          return headers['x-cache']
        },
      },
      {
        name: 'answers to a reader with a key without private or no-store',
        async run() {
          const open: string[] = []
          for (const path of [
            `${kept}/zarr.json`,
            `${kept}/nothing`,
            '/',
            '/datasets',
            '/openapi.json',
            '/docs/',
            '/none',
          ]) {
            const { headers } = await ask(path, mine)
            if (!/\b(private|no-store)\b/.test(headers['cache-control'] ?? '')) open.push(path.slice(-20))
          }
          return open.length === 0 ? undefined : open.join(' ')
        },
      },
      {
        name: 'a part of a chunk, or a condition, that is not answered as it should be',
        async run() {
          const path = `${kept}/temperature/c/0/0`
          const part = await ask(path, { ...mine, range: 'bytes=4-7' })
          const { headers } = await ask(path, mine)
          const same = await ask(path, { ...mine, 'if-none-match': headers['etag'] ?? '' })
          return part.status === 206 && part.body.equals(chunk.subarray(4, 8)) && same.status === 304
            ? undefined
            : `${part.status} ${same.status}`
        },
      },
      {
        name: 'a pinned chunk once all replicas are gone',
        async run() {
          await Promise.all(fleet.replicas.map((replica) => replica.stop('SIGKILL')))
          const { status, body } = await ask(`${kept}/temperature/c/0/0`)
          return status >= 500 ? undefined : `${status}, ${body.length} bytes`
        },
      },
    ])
  })
})

test('an open fleet: headers that a stranger chose reach no link, no header and no key of the cache', {
  skip,
}, async (t) => {
  await withFleet({}, async (fleet, origin) => {
    const ask = askerOf(fleet)
    let count = 0
    const storeOf = () => {
      const name = `f${++count}.nc`
      origin.put(name, { bytes: netcdf3File({ rows: 10, columns: 10 }), etag: `"${name}"` })
      return encoded(origin.url(name))
    }
    const bad = ({ headers, body, status }: RawAnswer) => {
      if (status >= 500) return `${status}`
      const text = `${JSON.stringify(headers)} ${body.toString('latin1')}`
      return /evil|javascript:/.exec(text)?.[0]
    }
    const HOSTILE: Readonly<Record<string, Headers>> = {
      Host: { host: EVIL },
      'X-Forwarded-Host': { 'x-forwarded-host': EVIL },
      'X-Forwarded-Proto: javascript': { 'x-forwarded-proto': 'javascript' },
      'X-Forwarded-Proto: :': { 'x-forwarded-proto': ':' },
      'X-Forwarded-Host: a:99999': { 'x-forwarded-host': 'a:99999' },
      'X-Forwarded-Host: [::::]': { 'x-forwarded-host': '[::::]' },
      Forwarded: { forwarded: `host=${EVIL};proto=javascript` },
      'X-Accel-Expires': { 'x-accel-expires': '1000' },
    }
    const attacks = Object.entries(HOSTILE).flatMap(([name, headers]): readonly Attack[] => [
      {
        name: `the next reader of what was first asked with ${name}`,
        async run() {
          const store = storeOf()
          const first = await ask(`${store}/zarr.json`, headers)
          const second = await ask(`${store}/zarr.json`)
          assert.equal(second.status, 200)
          return bad(second) ?? (first.status >= 500 ? `${first.status} to the first` : undefined)
        },
      },
      {
        name: `an index page, a redirect and /resolve with ${name}`,
        async run() {
          const store = storeOf()
          const paths = [
            `${store}/`,
            store,
            '/datasets',
            `/resolve?url=${encodeURIComponent(origin.url(`f${count}.nc`))}`,
          ]
          for (const path of paths) {
            const found = bad(await ask(path, headers))
            if (found !== undefined) return `${found} in ${path.slice(0, 9)}`
            const next = bad(await ask(path))
            if (next !== undefined) return `${next} in ${path.slice(0, 9)} of the next reader`
          }
          return undefined
        },
      },
    ])
    await check(t, [
      ...attacks,
      {
        name: 'what was asked with a key is stored',
        async run() {
          const store = storeOf()
          for (let at = 0; at < 2; at++) await ask(`${store}/zarr.json`, { authorization: 'Bearer of-another-service' })
          const { headers } = await ask(`${store}/zarr.json`)
          return headers['x-cache'] === 'MISS' ? undefined : headers['x-cache']
        },
      },
      {
        name: 'a document posted to /joins by a page of another origin',
        async run() {
          const port = Number(new URL(fleet.url).port)
          for (const [host, from] of [
            [`127.0.0.1:${port}`, `http://${EVIL}`],
            [`${EVIL}:${port}`, `http://${EVIL}:${port}`],
            [`127.0.0.1:${port}`, 'null'],
          ] as const) {
            const status = await post(port, host, from)
            if (status !== 403) return `${status} for Host ${host}, Origin ${from}`
          }
          return undefined
        },
      },
    ])
  })
})

test('index pages for GDAL and for others, which differ, are not taken for each other', { skip }, async () => {
  await withFleet({}, async (fleet, origin) => {
    const ask = askerOf(fleet)
    putStore(origin, 's', { 'zarr.json': v3Group({ 'two words': v3Array() }), 'two words/zarr.json': v3Array() })
    const url = origin.url('s/')
    const { body } = await ask(`/resolve?url=${encodeURIComponent(url)}`)
    for (const path of [`${encoded(url)}/`, `${encoded(url)};version=${JSON.parse(body.toString()).version}/`])
      for (let at = 0; at < 2; at++)
        for (const [agent, link] of [
          ['GDAL/3.10', 'two%20words/'],
          ['python-requests', 'two words/'],
        ] as const) {
          const page = (await ask(path, { 'user-agent': agent })).body.toString()
          assert.ok(page.includes(`href="${link}"`), `${agent} is given ${/href="two[^"]*"/.exec(page)?.[0]}`)
        }
  })
})

const CHUNKS = 4
const CHUNK_BYTES = 1000

/** References to the chunks of an array, all of which lie in one file that the document says no version of. */
function referencesTo(url: string): Buffer {
  const shape = [CHUNKS * CHUNK_BYTES]
  const array = {
    zarr_format: 2,
    shape,
    chunks: [CHUNK_BYTES],
    dtype: '|u1',
    compressor: null,
    fill_value: 0,
    order: 'C',
  }
  const refs: Record<string, unknown> = {
    '.zgroup': '{"zarr_format":2}',
    'a/.zarray': JSON.stringify({ ...array, filters: null }),
  }
  for (let at = 0; at < CHUNKS; at++) refs[`a/${at}`] = [url, at * CHUNK_BYTES, CHUNK_BYTES]
  return Buffer.from(JSON.stringify({ version: 1, refs }))
}

for (const [what, environment] of [
  ['open', {}],
  ['with keys', { VZ_API_KEYS: KEY }],
] as const)
  test(`a fleet ${what}: a data file that is replaced behind its document never has old bytes under a new ETag, or for good`, {
    skip,
  }, async (t) => {
    await withFleet(environment, async (fleet, origin) => {
      const ask = askerOf(fleet)
      const mine = { 'x-api-key': KEY }
      const numbers = randoms(7)
      const below = (count: number) => numbers.next().value % count
      let version = 0
      const replace = () => {
        version++
        const bytes = Buffer.alloc(CHUNKS * CHUNK_BYTES, version)
        origin.put('data.bin', { bytes, etag: `"data-${version}"` })
      }
      replace()
      origin.put('refs.json', { bytes: referencesTo(origin.url('data.bin')), etag: '"document"' })
      const url = origin.url('refs.json')
      const { body } = await ask(`/resolve?url=${encodeURIComponent(url)}`, mine)
      const stores = [
        encoded(url),
        `${encoded(url)};version=${encodeURIComponent(JSON.parse(body.toString()).version)}`,
      ]
      const bytesOfTag = new Map<string, string>()
      const counts: Record<string, number> = {}
      for (let at = 0; at < 300; at++) {
        const action = below(12)
        if (action === 0) replace()
        const store = stores[below(2)] ?? ''
        const key = action < 3 ? 'zarr.json' : `a/c/${below(CHUNKS)}`
        const known = [...bytesOfTag.keys()]
        const tag = action > 9 && known.length > 0 ? known[below(known.length)] : undefined
        const path = `${store}/${key}`
        const answer = await ask(path, { ...mine, ...(tag === undefined ? {} : { 'if-none-match': tag }) })
        counts[answer.status] = (counts[answer.status] ?? 0) + 1
        assert.ok([200, 304, 409].includes(answer.status), `${answer.status} of ${key}`)
        if (answer.status !== 200) continue
        const etag = answer.headers['etag'] ?? assert.fail(`${key} has no ETag`)
        const found = answer.body.toString('base64')
        assert.equal(bytesOfTag.get(etag) ?? found, found, `two bodies of ${etag} (${key})`)
        bytesOfTag.set(etag, found)
        if (key !== 'zarr.json') assert.equal(new Set(answer.body).size, 1, 'one chunk of two versions')
      }
      t.diagnostic(`${version} versions, ${bytesOfTag.size} ETags; ${JSON.stringify(counts)}`)
      assert.ok((counts[200] ?? 0) > 100 && version > 10)
      // Nothing that a cache holds outlives the version it is of.
      replace()
      await pause(1500)
      for (const store of stores) {
        for (let at = 0; at < 2; at++) await ask(`${store}/zarr.json`, mine)
        for (let at = 0; at < CHUNKS; at++) {
          const answer = await ask(`${store}/a/c/${at}`, mine)
          assert.ok(answer.status === 200 || answer.status === 409, `${answer.status}`)
          if (answer.status === 200) assert.equal(answer.body[0], version % 256, `chunk ${at} of ${store.slice(-30)}`)
        }
      }
    })
  })

/** The status of a join document that is posted. */
async function post(port: number, host: string, origin: string): Promise<number> {
  const body = JSON.stringify({
    virtual_zarr: 'join/1',
    sources: ['http://a.example/1.nc', 'http://a.example/2.nc'],
    along: 'time',
  })
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  socket.write(
    `POST /joins HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
}
