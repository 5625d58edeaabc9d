import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { parseJson } from '../../../src/json/parse.ts'
import { checkArray } from '../../corpus/check-array.ts'
import { goldenArray, member, object } from '../../corpus/golden.ts'
import { ServedStore } from '../../corpus/served-store.ts'
import { startService, storeUrl, type TestService } from '../../corpus/service.ts'
import { type StaticOrigin, startStaticOrigin } from '../../corpus/static-origin.ts'

const FIXTURES = new URL('../../fixtures/hdf4/', import.meta.url)

describe('what the HDF library wrote is served as it reads it itself', () => {
  let origin: StaticOrigin
  let service: TestService
  before(async () => {
    origin = await startStaticOrigin(FIXTURES)
    service = await startService({ allowSources: [origin.url] })
  })
  after(async () => {
    await service.close()
    await origin.close()
  })

  const files = ['golden.json', 'products.json'].flatMap((golden) =>
    Object.entries(object(member(parseJson(readFileSync(new URL(golden, FIXTURES), 'utf8')), 'files'))),
  )
  for (const [name, file] of files) {
    test(`TEST-1 ${name}: every array, in portable, native and raw`, async () => {
      const store = (options: string) => ServedStore.open(storeUrl(service, `${origin.url}${name}`, options))
      const profiles = {
        portable: await store(''),
        native: await store(';codecs=native'),
        raw: await store(';codecs=raw'),
      }
      for (const [path, golden] of Object.entries(object(member(file, 'arrays')))) {
        await checkArray(goldenArray(path, golden), profiles, `${name} ${path}`)
      }
    })
  }
})
