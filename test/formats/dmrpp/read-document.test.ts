import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { dmrpp } from '../../../src/formats/dmrpp/index.ts'
import { arrayAt, memberAt } from '../../helpers/members.ts'
import { documentOf, parse } from './parse.ts'

const SCALAR = '<Int32 name="a"><dmrpp:chunks fillValue="7"/></Int32>'

function recognises(text: string): boolean {
  return dmrpp.recognises(new TextEncoder().encode(text), new URL('https://example.org/a.xml'))
}

async function refused(text: string | Uint8Array, message: RegExp, code = 'malformed-source'): Promise<void> {
  await assert.rejects(parse(text), (error) => {
    assert.ok(isVirtualZarrError(error), String(error))
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  })
}

test('both spellings of the namespaces are recognised, a DMR without places of values and other XML are not', () => {
  assert.ok(recognises(documentOf('')))
  assert.ok(recognises(documentOf('').replaceAll('http://', 'https://')))
  assert.ok(recognises(documentOf('').replaceAll('dmrpp:', 'p:').replace('xmlns:dmrpp', 'xmlns:p')))
  assert.ok(!recognises('<Dataset xmlns="http://xml.opendap.org/ns/DAP/4.0#"/>'))
  assert.ok(!recognises('<GDALMetadata/>'))
})

test('the prefix of a namespace does not matter', async () => {
  const document = documentOf(SCALAR).replaceAll('dmrpp:', 'p:')
  assert.deepEqual(arrayAt((await parse(document)).root, 'a').fillValue, { kind: 'number', value: 7 })
})

test('text before the document is passed over, with a diagnostic', async () => {
  const { root, diagnostics } = await parse(`number of blocks is: 1\n${documentOf(SCALAR)}`)
  assert.ok(memberAt(root, 'a'))
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['leading-text'],
  )
})

test('a byte order mark is no text', async () => {
  const { diagnostics } = await parse(`\ufeff${documentOf(SCALAR)}`)
  assert.deepEqual(diagnostics, [])
})

test('a document type declaration is refused, so there are no entities', async () => {
  const bomb = '<!DOCTYPE Dataset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
  await refused(`${bomb}<Dataset name="&b;"/>`, /DOCTYPE/)
  await refused(documentOf('<Int32 name="&b;"/>'), /no XML/)
})

test('what is cut off, nested without end or no data set is refused', async () => {
  const document = documentOf(SCALAR)
  for (const length of [0, 10, 60, 200, document.length - 3]) await refused(document.slice(0, length), /./)
  await refused('<Other/>', /expected Dataset/)
  await refused('nothing at all', /./)
  await refused(documentOf('<Group name="g">'.repeat(200) + '</Group>'.repeat(200)), /deep/, 'limit-exceeded')
})

test('more things than anyone describes are refused before they fill the memory', async () => {
  await refused(
    documentOf(`<Attribute name="a" type="String"><Value>${'x'.repeat(17e6)}</Value></Attribute>`),
    /16777216 char/,
    'limit-exceeded',
  )
  await refused(documentOf('<Dimension name="d" size="1"/>'.repeat(500_001)), /500000/, 'limit-exceeded')
})

test('UTF-8 is read as such whatever the document declares, other bytes as Latin-1', async () => {
  const text = documentOf('<Attribute name="a" type="String"><Value>5 µm – 10 °C</Value></Attribute>')
  assert.equal((await parse(text)).root.attributes.get('a'), '5 µm – 10 °C')
  const latin = Buffer.from(text.replace(' – ', ' - '), 'latin1')
  assert.equal((await parse(latin)).root.attributes.get('a'), '5 µm - 10 °C')
})

test('each text is decoded by itself: one that is not UTF-8 costs the others nothing, and is told', async () => {
  const attribute = (name: string, value: string) =>
    `<Attribute name="${name}" type="String"><Value>${value}</Value></Attribute>`
  const latin = '\u00b0C'
  const utf8 = Buffer.from('\u00b5m \u2013').toString('latin1')
  const document = documentOf(attribute('one', utf8) + attribute('two', latin) + attribute('three', `${utf8}&#8451;`))
  const { root, diagnostics } = await parse(Buffer.from(document, 'latin1'))
  assert.deepEqual(Object.fromEntries(root.attributes), { one: 'µm –', two: '°C', three: 'µm –℃' })
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['text-encoding-guessed'],
  )
})

test('a character that lies across two pieces of the stream stays whole', async () => {
  for (const shift of [0, 1, 2, 3]) {
    const head = documentOf('').indexOf('</Dataset>')
    const padding = ' '.repeat(65_536 - head - '<Attribute name="a" type="String"><Value>'.length - shift)
    const text = documentOf(`${padding}<Attribute name="a" type="String"><Value>€€€</Value></Attribute>`)
    assert.equal((await parse(text)).root.attributes.get('a'), '€€€')
  }
})

test('groups to any depth are read, each with its own', async () => {
  const inner = `<Group name="g1">${SCALAR}<Group name="g2"><Group name="g3">${SCALAR}</Group></Group></Group>${SCALAR}`
  const { root } = await parse(documentOf(inner))
  for (const path of ['a', 'g1/a', 'g1/g2/g3/a']) assert.ok(arrayAt(root, path))
})

test('CDATA is text', async () => {
  const { root } = await parse(
    documentOf('<Attribute name="a" type="String"><Value><![CDATA[<b>]]></Value></Attribute>'),
  )
  assert.equal(root.attributes.get('a'), '<b>')
})
