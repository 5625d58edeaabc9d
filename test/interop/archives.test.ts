import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { storedZip } from '../../src/service/export/stored-zip.ts'
import { interopPython } from './venv.ts'

const LARGE = new Uint8Array(2 ** 30)
const NAMES = ['first', ...Array.from({ length: 5 }, (_, index) => `large/${index}`), 'behind/ä']
const SCRIPT = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
small = {name: archive.read(name).decode() for name in archive.namelist() if not name.startswith("large")}
print(archive.namelist() == sys.argv[2:], small == {name: name for name in small}, len(small))
`

async function* files(): AsyncGenerator<readonly [string, Uint8Array]> {
  for (const name of NAMES) yield [name, name.startsWith('large') ? LARGE : Buffer.from(name)]
}

test("Python's zipfile reads an archive beyond 4 GiB, whose file is mostly holes", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'archives-'))
  try {
    const path = join(folder, 'archive.zip')
    const file = await open(path, 'w')
    let size = 0
    for await (const piece of storedZip(files())) {
      if (piece !== LARGE) await file.write(piece, 0, piece.length, size)
      size += piece.length
    }
    await file.close()
    const { stdout } = await promisify(execFile)(interopPython(), ['-c', SCRIPT, path, ...NAMES])
    assert.equal(stdout.trim(), 'True True 2')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
