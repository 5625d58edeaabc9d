import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { grib } from '../../../src/formats/grib/index.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'

interface NamedMessage {
  readonly label: string
  readonly names: readonly string[]
  readonly message: string
}

const KEYS = ['paramId', 'shortName', 'name', 'units', 'cfName', 'cfVarName']
/** By ecCodes 2.50.0: see make_names.py. */
const { messages }: { readonly messages: readonly NamedMessage[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/grib/names.json', import.meta.url), 'utf8'),
)

describe('parameters of data sets and centres are called as ecCodes calls them', () => {
  for (const { label, names, message } of messages) {
    test(`${label}: ${names[1]}`, async () => {
      const source = countingSource(new Uint8Array(Buffer.from(message, 'base64')))
      const tree = await grib.parse(source, parseContext().context)
      assert.ok(tree.kind === 'group')
      const data = [...tree.members.values()].find(
        (member) => member.kind === 'array' && member.attributes.has('GRIB_gridType'),
      )
      assert.ok(data?.kind === 'array')
      const own = KEYS.map((key) => String(data.attributes.get(`GRIB_${key}`) ?? (key === 'paramId' ? '0' : 'unknown')))
      assert.deepEqual(own, names)
    })
  }
})
