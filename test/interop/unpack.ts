import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes the stored members of an archive into a folder. */
export function unpack(zip: Buffer, target: string): void {
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [length, nameLength] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)]
    const start = at + 30 + nameLength
    const path = join(target, zip.toString('utf8', at + 30, start))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, zip.subarray(start, start + length))
    at = start + length
  }
  assert.ok(readdirSync(target).length > 0)
}
