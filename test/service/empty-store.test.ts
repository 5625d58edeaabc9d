import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileOf, hduBytes, imageCards } from '../formats/fits/build.ts'
import { runApp } from '../helpers/app.ts'

const app = await runApp({
  'bare.fits': hduBytes(imageCards(8, [])),
  'headers.fits': fileOf(hduBytes(imageCards(8, [])), hduBytes(imageCards(8, [], true))),
  'image.fits': hduBytes(imageCards(8, [2]), Uint8Array.of(1, 2)),
})
after(() => app.close())

// astropy 8.0.2 opens all three; the first two have no HDU with data.
for (const [name, codes] of [
  ['bare.fits', ['store-empty']],
  ['headers.fits', ['store-empty']],
  ['image.fits', []],
] as const) {
  test(`${name}: a source without any array is a store that says so`, async () => {
    const answer = await app.http.inject(`/inspect?url=${encodeURIComponent(`file://${app.folder}/${name}`)}`)
    assert.equal(answer.statusCode, 200, answer.body)
    const { warnings } = answer.json<{ warnings: { code: string; message: string }[] }>()
    const own = warnings.filter(({ code }) => code === 'store-empty')
    assert.deepEqual(
      own.map(({ code }) => code),
      codes,
    )
    for (const { message } of own) assert.match(message, /\(fits\) has no arrays/)
  })
}
