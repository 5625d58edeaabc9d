import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { CORPUS, CORPUS_ABSENT } from './corpus/golden.ts'
import { startStaticOrigin } from './corpus/static-origin.ts'
import { documentOf } from './formats/dmrpp/parse.ts'
import { type Bomb, text, zarray } from './hostile/bomb.ts'
import { type BombOrigin, startBombOrigin } from './hostile/bomb-origin.ts'
import { hostileFiles } from './hostile/corpus-files.ts'
import { DOCUMENT_BOMBS } from './hostile/document-bombs.ts'
import { FILE_BOMBS } from './hostile/file-bombs.ts'
import { firstChunk } from './hostile/first-chunk.ts'
import { HDF5_BOMBS } from './hostile/hdf5-bombs.ts'
import { type Cost, type Lab, startLab } from './hostile/lab.ts'
import { SWELLING_BOMBS } from './hostile/swelling-bombs.ts'
import { tooMuch } from './hostile/too-much.ts'

const NO_PROC = process.platform === 'linux' ? false : 'time and memory of another process are read from /proc of Linux'

describe('hostile sources cost little and break nothing', { skip: NO_PROC, concurrency: false }, () => {
  let lab: Lab
  let bombs: BombOrigin
  let corpus: { readonly url: string; close(): Promise<void> } | undefined

  before(async () => {
    bombs = await startBombOrigin()
    corpus = CORPUS_ABSENT === false ? await startStaticOrigin(CORPUS) : undefined
    lab = await startLab([bombs.url, ...(corpus === undefined ? [] : [corpus.url])])
  })
  after(async () => {
    await lab.stop()
    await bombs.close()
    await corpus?.close()
  })

  /** Asks, and once more where it took too much: the first time may have paid for what was before. */
  async function ask(source: string, key: string, options?: string): Promise<Cost> {
    const first = await lab.ask(source, key, options)
    if (tooMuch(first) === undefined) return first
    // A failure is remembered for 3 seconds.
    await new Promise((resolve) => setTimeout(resolve, 3200))
    const again = await lab.ask(source, key, options)
    assert.equal(tooMuch(again), undefined, `${key} of ${source}${options ?? ''}`)
    return again
  }

  function bombTest(bomb: Bomb): void {
    test(bomb.name, async () => {
      bombs.clear()
      for (const [path, file] of Object.entries(bomb.files())) bombs.put(path, file)
      for (const key of bomb.keys ?? ['zarr.json']) await ask(bombs.url + bomb.source, key, bomb.options)
    })
  }
  for (const bomb of [...HDF5_BOMBS, ...FILE_BOMBS, ...DOCUMENT_BOMBS, ...SWELLING_BOMBS]) bombTest(bomb)

  test('damaged and hostile files of the corpora', { skip: CORPUS_ABSENT }, async () => {
    for (const { path, options } of hostileFiles()) {
      const cost = await ask((corpus?.url ?? '') + path, 'zarr.json', options)
      const key = cost.status === 200 ? firstChunk(cost.text) : undefined
      if (key !== undefined) await ask((corpus?.url ?? '') + path, key, options)
    }
  })

  test('references to where the client may not go are never followed', async () => {
    let connections = 0
    const canary = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const address = canary.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/secret`
    const refs = { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(zarray(2)), 'a/0': [url, 0, 8] }
    bombs.put('away.json', text(JSON.stringify({ version: 1, refs })))
    const chunk = '<dmrpp:chunks><dmrpp:chunk offset="0" nBytes="5"/></dmrpp:chunks>'
    const variable = `<Int8 name="a"><Dim size="5"/>${chunk}</Int8>`
    bombs.put('away.dmrpp', text(documentOf(variable, `dmrpp:href="${url}" dmrpp:version="3.21"`)))
    for (const source of ['away.json', 'away.dmrpp']) {
      assert.equal((await lab.ask(bombs.url + source, 'zarr.json')).status, 200, source)
      assert.equal((await lab.ask(bombs.url + source, 'a/c/0')).status, 424, source)
    }
    assert.equal(connections, 0)
    canary.close()
  })

  test('the server is alive after all that', async () => {
    assert.equal((await fetch(`${lab.server.url}/health/live`)).status, 200)
  })
})
