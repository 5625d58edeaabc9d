import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { folderPlace } from '../../src/manifests/folder.ts'
import { ManifestStore, Outcomes } from '../../src/manifests/manifests.ts'
import { LEASE_MILLISECONDS } from '../../src/manifests/place.ts'
import { programRevision } from '../../src/manifests/revision.ts'
import { nameOf, sealed, unsealed } from '../../src/manifests/seal.ts'

const root = await mkdtemp(join(tmpdir(), 'vz-places-'))
after(() => rm(root, { recursive: true, force: true }))

let folders = 0
function newFolder(mostBytes = 2 ** 20) {
  const path = join(root, String(folders++))
  const outcomes = new Outcomes()
  const place = folderPlace({ path, mostBytes, count: outcomes.count })
  return { path, place, outcomes, manifests: new ManifestStore({ places: [place], revision: 'r1', outcomes }) }
}

async function filesIn(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true })
  const found = await Promise.all(names.map(async (name) => ((await stat(join(path, name))).isFile() ? [name] : [])))
  return found.flat()
}

describe('FAULT-26: an entry is what was written, or nothing', () => {
  const name = nameOf('r1', 'a')
  const content = Buffer.from('some content, some content, some content')

  test('each byte of it changed to every other, or cut off anywhere: it is ignored', async () => {
    const bytes = await sealed(name, content)
    for (let at = 0; at < bytes.length; at++) {
      for (const change of [1, 0x80, 0xff]) {
        const damaged = Uint8Array.from(bytes, (was, i) => (i === at ? was ^ change : was))
        assert.equal(await unsealed(name, damaged), undefined, `byte ${at}`)
      }
      assert.equal(await unsealed(name, bytes.subarray(0, at)), undefined)
    }
    assert.equal(await unsealed(name, Buffer.concat([bytes, Buffer.from([0])])), undefined)
    assert.deepEqual(await unsealed(name, bytes), content)
  })

  test('under another name, of another revision or another program: it is ignored', async () => {
    const bytes = await sealed(name, content)
    assert.equal(await unsealed(nameOf('r2', 'a'), bytes), undefined)
    assert.equal(await unsealed(name, Buffer.from('PK\x03\x04 not ours')), undefined)
    assert.equal(await unsealed(name, new Uint8Array(0)), undefined)
  })

  test('a damaged one is counted, and replaced by what is written next', async () => {
    const { path, manifests } = newFolder()
    const key = manifests.nameOf('source', 'a')
    await manifests.put(key, content)
    const [file = ''] = await filesIn(path)
    await writeFile(join(path, file), (await readFile(join(path, file))).fill(7, 60))
    assert.equal(await manifests.get(key), undefined)
    assert.equal(manifests.outcomes.get('folder')?.get('damaged')?.times, 1)
    await manifests.put(key, content)
    assert.deepEqual(await manifests.get(key), content)
  })

  test('no change of the program is forgotten: the revision is a hash of it', async () => {
    const { path } = newFolder()
    const folder = join(path, '..', 'program')
    await mkdir(folder)
    await writeFile(join(folder, 'a.ts'), 'one')
    const before = programRevision(folder)
    assert.equal(programRevision(folder), before)
    await writeFile(join(folder, 'a.ts'), 'two')
    assert.notEqual(programRevision(folder), before)
    assert.match(programRevision(), /^[\w-]{43}$/)
  })
})

describe('a folder', () => {
  test('is bounded in bytes: what was not used for the longest time goes first', async () => {
    const { path, place } = newFolder(100_000)
    const names = Array.from({ length: 20 }, (_, i) => nameOf('r', String(i)))
    for (const [i, name] of names.entries()) {
      await place.put(name, new Uint8Array(10_000))
      await place.close()
      const file = join(path, name.slice(0, 2), name)
      // Entries that lie there since long; the first is used all the time.
      await utimes(file, i, i)
      await place.get(names[0] ?? '')
    }
    await place.put(nameOf('r', 'last'), new Uint8Array(10_000))
    await place.close()
    const files = await filesIn(path)
    assert.ok(files.length <= 10, `${files.length} entries`)
    assert.ok(
      files.some((file) => file.endsWith(names[0] ?? '')),
      'what is used stays',
    )
    assert.ok(!files.some((file) => file.endsWith(names[1] ?? '')), 'what is not used goes')
  })

  test('takes no entry that would push out all others', async () => {
    const { path, place, outcomes } = newFolder(100_000)
    await place.put(nameOf('r', 'large'), new Uint8Array(50_000))
    assert.equal(outcomes.all.get('folder')?.get('skipped')?.times, 1)
    assert.deepEqual(await readdir(path).catch(() => []), [])
  })

  test('FAULT-27: what a killed process left half-written is never read, and removed after a while', async () => {
    const { path, place } = newFolder()
    const name = nameOf('r', 'a')
    await place.put(name, Buffer.from('whole'))
    const draft = join(path, name.slice(0, 2), `${name}.00000000-0000-0000-0000-000000000000`)
    const foreign = join(path, 'README')
    for (const file of [draft, foreign]) {
      await writeFile(file, 'half')
      await utimes(file, 1, 1)
    }
    assert.deepEqual(await place.get(name), Buffer.from('whole'))
    const other = folderPlace({ path, mostBytes: 2 ** 20, count: () => undefined })
    await other.put(nameOf('r', 'b'), Buffer.from('next'))
    await other.close()
    const files = await filesIn(path)
    assert.ok(!files.some((file) => file.endsWith('000000000000')), 'the draft is gone')
    assert.ok(files.includes('README'), 'what is not ours stays')
  })

  test('FAULT-28: one that can not be written costs a count, and leaves nothing', async () => {
    const { path, outcomes } = newFolder()
    await writeFile(path, 'a file where the folder should be')
    const place = folderPlace({ path, mostBytes: 2 ** 20, count: outcomes.count })
    await place.put(nameOf('r', 'a'), Buffer.from('x'))
    assert.equal(await place.get(nameOf('r', 'a')), undefined)
    assert.equal((await place.lease(nameOf('r', 'a'))).kind, 'none')
    assert.equal(outcomes.all.get('folder')?.get('failed')?.times, 2)
  })

  test('gives a lease to one at a time, and not for ever to one that died', async () => {
    const { path, place } = newFolder()
    const name = nameOf('r', 'a')
    const other = folderPlace({ path, mostBytes: 2 ** 20, count: () => undefined })
    const lease = await place.lease(name)
    assert.equal((await other.lease(name)).kind, 'taken')
    if (lease.kind === 'own') await lease.end()
    const second = await other.lease(name)
    assert.equal(second.kind, 'own')
    const past = (Date.now() - LEASE_MILLISECONDS - 1) / 1000
    await utimes(join(path, 'leases', name), past, past)
    assert.equal((await place.lease(name)).kind, 'own', 'that of a dead process has expired')
    if (second.kind === 'own') await second.end()
  })
})
