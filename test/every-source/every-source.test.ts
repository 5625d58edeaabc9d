import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inParallel } from '../../src/in-parallel.ts'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'
import type { Problem } from '../../web/src/service/problem.ts'
import type { Inspection } from '../../web/src/service/types.ts'
import { startCommands } from '../helpers/commands.ts'
import { everySource, ROOTS } from './sources.ts'

// What is asked of one source in other tests is asked here of every file of the examples, the fixtures and the corpora. Whatever a
// file holds, no answer may be a 500, and neither the command line nor the explorer may throw anything but a problem that says why.

const SOURCES = everySource()
const AT_ONCE = 4

/** Options under which documents differ in more than what they list: each source is asked for with one of them. */
const OPTIONS = [';codecs=raw', ';codecs=native', ';missing=fill', ';packing=decoded']
const TIFF_OPTIONS = [...OPTIONS, ';layout=ifd', ';layout=dataset', ';layout=levels']

describe('every source of the examples, the fixtures and the corpora', () => {
  let url: string
  let close: () => Promise<void>
  let problemOfFirstView: (segment: string, inspection: Inspection) => Promise<Problem | undefined>

  before(async () => {
    const config = readConfig({ flags: {}, environment: { VZ_LOG_LEVEL: 'silent' }, bundledCatalog: undefined })
    const service = openService({ ...config, fileRoots: ROOTS.map((root) => fileURLToPath(root)) })
    const { http } = await buildApp({ ...service, catalog: config.catalog }, config)
    await http.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/`
    close = async () => {
      http.server.closeAllConnections()
      await http.close()
      await service.close()
    }
    // What the explorer's modules take from a page.
    Object.assign(globalThis, { document: { baseURI: url }, sessionStorage: { getItem: () => null } })
    // Checked with the explorer's own settings of TypeScript, and therefore not named here.
    const page = new URL('page/first-view.ts', import.meta.url).href
    ;({ problemOfFirstView } = (await import(page)) as { problemOfFirstView: typeof problemOfFirstView })
  })
  after(async () => await close?.())

  test('is answered with its documents, its inspection and its exports, or with a problem that is documented', async () => {
    const wrong: string[] = []
    let served = 0
    await inParallel(SOURCES, AT_ONCE, async (source, index) => {
      const store = `~${Buffer.from(source.href).toString('base64url')}`
      const encoded = encodeURIComponent(source.href)
      const ask = async (path: string) => {
        const answer = await fetch(url + path)
        const asked = path.replace(store, '~').replace(encoded, '')
        const text = await answer.text().catch((error: unknown) => {
          // What a document names may be missing, which is noticed after the first bytes of an archive.
          if (!isRefused) wrong.push(`${source.pathname} ${asked}: ends early: ${String(error)}`)
          return ''
        })
        const problem = answer.ok ? undefined : unacceptable(answer.status, text)
        if (problem !== undefined) wrong.push(`${source.pathname} ${asked}: ${problem}`)
        return answer.ok ? text : undefined
      }
      let isRefused = false
      if ((await ask(`zarr/${store}/zarr.json`)) === undefined) return
      served++
      const options = /\.tiff?$/.test(source.pathname) ? TIFF_OPTIONS : OPTIONS
      await ask(`zarr/${store}${options[index % options.length]}/zarr.json`)
      await ask(`inspect?url=${encoded}`)
      isRefused = (await ask(`export?url=${encoded}`)) === undefined
      await ask(`export?url=${encoded}&to=icechunk`)
      // Each file of a Parquet set has ten thousand rows, however few of them say anything.
      if (index % 4 === 0) await ask(`export?url=${encoded}&to=kerchunk-parquet`)
      const inspection = await ask(`inspect?store=${encodeURIComponent(store)}`)
      if (inspection === undefined) return
      const problem = await problemOfFirstView(store, JSON.parse(inspection) as Inspection)
      if (problem !== undefined && !isOfSource(problem))
        wrong.push(`${source.pathname} in the explorer: ${problem.title} (${problem.status}): ${problem.message}`)
    })
    assert.deepEqual(wrong, [])
    assert.ok(served > SOURCES.length / 2, `${served} of ${SOURCES.length} sources are served`)
  })

  test('is told by the command inspect, or refused with a reason', async () => {
    const commands = startCommands()
    const wrong: string[] = []
    try {
      for (const [index, source] of SOURCES.entries()) {
        const form = [['--all'], ['--tree'], ['--json']][index % 3] ?? []
        const { code, stdout, stderr } = await commands.run(['inspect', fileURLToPath(source), ...form])
        const isTold = code === 0 ? stdout !== '' : code === 1 && /^(?:[a-z-]+: \S|\{)/.test(stderr)
        if (!isTold) wrong.push(`${source.pathname} ${form.join()}: exit code ${code}, ${stderr}`)
      }
    } finally {
      await commands.close()
    }
    assert.deepEqual(wrong, [])
  })
})

/** Types of problems that an answer of 500 and above may have: what is not supported, and what an origin that a file names does. */
const ACCEPTABLE: Readonly<Record<number, string>> = {
  501: 'unsupported-feature',
  502: 'source-unavailable',
  504: 'source-timeout',
}

function unacceptable(status: number, text: string): string | undefined {
  const type = ACCEPTABLE[status]
  return status < 500 || (type !== undefined && text.includes(`"/problems/${type}"`)) ? undefined : `${status} ${text}`
}

/** Whether the explorer shows it as a failure of the source, and not as one of its own or of the service. */
function isOfSource({ status, kind }: Problem): boolean {
  return kind !== 'page' && kind !== 'offline' && (status < 500 || ACCEPTABLE[status] === kind)
}
