import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { withPortableTypes } from '../../../src/views/portable-types.ts'
import { arrayAt, memberAt, reasonAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { documentOf, parse } from './parse.ts'

const CHUNKS = '<dmrpp:chunks fillValue="0"/>'
const attribute = (name: string, type: string, ...values: string[]) =>
  `<Attribute name="${name}" type="${type}">${values.map((value) => `<Value>${value}</Value>`).join('')}</Attribute>`

test('shared dimensions are found by qualified names, and by plain ones from the group outward', async () => {
  const { root } = await parse(
    documentOf(`<Dimension name="x" size="3"/>
      <Group name="g"><Dimension name="y" size="2"/>
        <Int8 name="a"><Dim name="/g/y"/><Dim name="x"/><Dim name="/x"/><Dim size="5"/>${CHUNKS}</Int8>
        <Int8 name="b"><Dim name="/y"/>${CHUNKS}</Int8>
      </Group>`),
  )
  const array = arrayAt(root, 'g/a')
  assert.deepEqual(array.shape, [2, 3, 3, 5])
  assert.deepEqual(array.dimensionNames, ['y', 'x', 'x', null])
  assert.match(reasonAt(root, 'g/b'), /not declared/)
})

test('attributes keep their types, to the last bit', async () => {
  const all = [
    attribute('text', 'String', 'a &amp; b'),
    attribute('texts', 'String', 'a', ' '),
    attribute('none', 'String'),
    attribute('byte', 'Byte', '255'),
    attribute('wide', 'UInt64', '18446744073709551615'),
    attribute('list', 'Int16', '-1', '2'),
    attribute('single', 'Float32', '0.1'),
    attribute('double', 'Float64', '0.1'),
    attribute('star', 'Float64', '*'),
    '<Attribute name="inline" type="Int32" value="4"/>',
    '<Attribute name="within" type="Int32"><Value value="5"/></Attribute>',
  ]
  const { root } = await parse(documentOf(all.join('')))
  assert.deepEqual(Object.fromEntries(root.attributes), {
    text: 'a & b',
    texts: ['a', ' '],
    none: '',
    byte: 255,
    wide: 18446744073709551615n,
    list: [-1, 2],
    single: Math.fround(0.1),
    double: 0.1,
    star: Number.NaN,
    inline: 4,
    within: 5,
  })
})

test('JSON-8: bookkeeping is hidden; what has no values is dropped and told', async () => {
  const all = [
    attribute('DIMENSION_LIST', 'null', 'UNKNOWN'),
    attribute('odd', 'null', 'UNKNOWN'),
    `<Attribute name="build_dmrpp_metadata" type="Container">${attribute('created', 'String', 'now')}</Attribute>`,
  ]
  const { root, diagnostics } = await parse(documentOf(all.join('')))
  assert.deepEqual([...root.attributes], [])
  assert.deepEqual(
    diagnostics.map(({ code, values }) => [code, values]),
    [['attribute-dropped', ['odd']]],
  )
})

test('containers are flattened; those that stand for the file itself are left away', async () => {
  const container = (name: string, inner: string) => `<Attribute name="${name}" type="Container">${inner}</Attribute>`
  const all = [
    container('NC_GLOBAL', attribute('title', 'String', 'T')),
    container('a', container('b', attribute('c', 'Int8', '1'))),
  ]
  const { root } = await parse(documentOf(all.join('')))
  assert.deepEqual(Object.fromEntries(root.attributes), { title: 'T', 'a.b.c': 1 })
})

test('FV-DMRPP-1: fillValue in the type of the variable; without a usable one zero, and a diagnostic', async () => {
  const variables = [
    ['f', 'Float32', 'fillValue="-9999.9"'],
    ['nan', 'Float64', 'fillValue="nan"'],
    ['wide', 'UInt64', 'fillValue="18446744073709551615"'],
    ['none', 'Int16', ''],
    ['odd', 'Int16', 'fillValue="unsupported-array"'],
    ['large', 'Int8', 'fillValue="300"'],
    ['text', 'String', 'fillValue="aa"'],
    ['unsupported', 'String', 'fillValue="unsupported-string"'],
  ].map(([name, type, fill]) => `<${type} name="${name}"><dmrpp:chunks ${fill}/></${type}>`)
  const { root, diagnostics } = await parse(documentOf(variables.join('')))
  const fill = (name: string) => arrayAt(root, name).fillValue.value
  assert.equal(fill('f'), Math.fround(-9999.9))
  assert.ok(Number.isNaN(fill('nan')))
  assert.equal(fill('wide'), 18446744073709551615n)
  assert.deepEqual([fill('none'), fill('odd'), fill('large')], [0, 0, 0])
  assert.deepEqual([fill('text'), fill('unsupported')], ['aa', ''])
  assert.deepEqual(
    diagnostics.map(({ code, path }) => `${path} ${code}`),
    ['none fill-unknown', 'odd fill-unusable', 'large fill-unusable', 'unsupported fill-unusable'],
  )
})

test('FV-DMRPP-2: _FillValue is the sentinel, * is NaN, and neither changes the storage fill', async () => {
  const inner = [
    `<Float32 name="star">${attribute('_FillValue', 'Float32', '*')}${CHUNKS}</Float32>`,
    `<Float32 name="number">${attribute('_FillValue', 'Float64', '0.1')}${CHUNKS}</Float32>`,
    `<Byte name="beyond">${attribute('_FillValue', 'Int16', '-9999')}${CHUNKS}</Byte>`,
    `<Int8 name="text">${attribute('_FillValue', 'String', 'none')}${CHUNKS}</Int8>`,
  ]
  const { root, diagnostics } = await parse(documentOf(inner.join('')))
  const sentinel = (name: string) => arrayAt(root, name).sentinels.fillValue?.value
  assert.ok(Number.isNaN(sentinel('star')))
  assert.equal(sentinel('number'), Math.fround(0.1))
  assert.deepEqual([sentinel('beyond'), sentinel('text')], [undefined, undefined])
  assert.deepEqual(arrayAt(root, 'number').fillValue, { kind: 'number', value: 0 })
  assert.equal(arrayAt(root, 'star').attributes.has('_FillValue'), false)
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['sentinel-rounded', 'sentinel-dropped', 'sentinel-dropped'],
  )
  assert.match(reasonAt((await parse(documentOf(inner.join('')), { sentinel: 'error' })).root, 'beyond'), /-9999/)
})

test('DM-6: maps that a reader would not find by itself are listed as coordinates', async () => {
  const variable = (name: string, dims: string, rest = '') =>
    `<Float32 name="${name}">${dims}${rest}${CHUNKS}</Float32>`
  const plane = '<Dim name="/y"/><Dim name="/x"/>'
  const maps = '<Map name="/lat"/><Map name="lon"/><Map name="/x"/><Map name="/other/z"/>'
  const inner = [
    '<Dimension name="y" size="2"/><Dimension name="x" size="3"/>',
    variable('x', '<Dim name="/x"/>'),
    variable('lat', plane),
    variable('lon', plane),
    variable('t', plane, maps),
  ]
  assert.equal((await parse(documentOf(inner.join('')))).root.attributes.get('coordinates'), 'lat lon')
  const known = attribute('coordinates', 'String', 'lat lon')
  const told = documentOf([...inner.slice(0, 4), variable('t', plane, maps + known)].join(''))
  assert.equal((await parse(told)).root.attributes.has('coordinates'), false)
})

test('enumerations are integers with flags; FALSE and TRUE of one byte are booleans', async () => {
  const names = (base: string, ...constants: [string, number][]) =>
    `basetype="${base}">${constants.map(([name, value]) => `<EnumConst name="${name}" value="${value}"/>`).join('')}</Enumeration>`
  const { root } = await parse(
    documentOf(`<Enumeration name="c" ${names('UInt16', ['red', 1], ['dark blue', 300])}
      <Enumeration name="b" ${names('Int8', ['FALSE', 0], ['TRUE', 1])}
      <Enum name="colour" enum="/c">${CHUNKS}</Enum><Enum name="flag" enum="b">${CHUNKS}</Enum>
      <Enum name="lost" enum="/none">${CHUNKS}</Enum>`),
  )
  const colour = arrayAt(root, 'colour')
  assert.deepEqual(colour.dataType, { kind: 'uint', bits: 16 })
  assert.deepEqual(colour.attributes.get('flag_values'), [1, 300])
  assert.equal(colour.attributes.get('flag_meanings'), 'red dark_blue')
  assert.deepEqual(arrayAt(root, 'flag').dataType, { kind: 'bool' })
  assert.match(reasonAt(root, 'lost'), /not declared/)
})

test('compact values, and such as the data file does not hold, are in the document', async () => {
  const values = Buffer.from(Int16Array.of(1, -2, 3).buffer)
  const inner = [
    `<Int16 name="compact"><Dim size="3"/><dmrpp:chunks byteOrder="BE"/><dmrpp:compact>\n${values.toString('base64')} </dmrpp:compact></Int16>`,
    `<Int16 name="packed"><Dim size="3"/><dmrpp:missingdata>${deflateSync(values).toString('base64')}</dmrpp:missingdata></Int16>`,
    `<Int16 name="short"><Dim size="4"/><dmrpp:compact>${values.toString('base64')}</dmrpp:compact></Int16>`,
    `<Int16 name="bomb"><Dim size="4"/><dmrpp:missingdata>${deflateSync(Buffer.alloc(1e7)).toString('base64')}</dmrpp:missingdata></Int16>`,
    '<Int16 name="odd"><Dim size="4"/><dmrpp:compact>***</dmrpp:compact></Int16>',
  ]
  const { root } = await parse(documentOf(inner.join('')))
  const compact = arrayAt(root, 'compact')
  assert.deepEqual(asStored(compact).encodings, [[{ name: 'bytes', configuration: { endian: 'big' } }]])
  for (const name of ['compact', 'packed']) {
    assert.deepEqual(asStored(arrayAt(root, name)).chunks.at([0]), {
      kind: 'inline',
      bytes: new Uint8Array(values),
      encoding: 0,
    })
  }
  for (const name of ['short', 'bomb', 'odd']) assert.ok(reasonAt(root, name))
})

test('text of a width that may be that of references is told apart when it is read, other widths are text', async () => {
  const chunk = (bytes: number) => `<dmrpp:chunks><dmrpp:chunk offset="9" nBytes="${bytes}"/></dmrpp:chunks>`
  const inner = `<String name="a"><Dim size="2"/>${chunk(32)}</String><String name="b"><Dim size="2"/>${chunk(20)}</String>`
  const { root } = await parse(documentOf(inner))
  assert.deepEqual(asStored(arrayAt(root, 'a')).encodings, [[{ name: 'vz.hdf5-any-text', configuration: {} }]])
  assert.deepEqual(arrayAt(root, 'b').dataType, { kind: 'fixed-text', encoding: 'bytes', length: 10 })
})

test('vlsa: repeated and compressed texts, as many as the shape says', async () => {
  const vlsa = (count: number, inner: string) =>
    `<String name="n${count}"><Dim size="${count}"/><dmrpp:vlsa>${inner}</dmrpp:vlsa></String>`
  const long = deflateSync(Buffer.from('long')).toString('base64')
  const good = `<v>a;b</v><v c="2"></v><v s="4">${long}</v>`
  const { root } = await parse(documentOf(vlsa(4, good) + vlsa(5, good) + vlsa(1, `<v s="3">${long}</v>`)))
  assert.deepEqual(arrayAt(root, 'n4').dataType, { kind: 'string' })
  assert.match(reasonAt(root, 'n5'), /4 texts/)
  assert.match(reasonAt(root, 'n1'), /inflated/)
  const bomb = vlsa(2, '<v c="999999999999">a</v>')
  assert.match(reasonAt((await parse(documentOf(bomb))).root, 'n2'), /repeated/)
})

test('a small document can not fill the memory with what it says that it holds', async () => {
  const zeros = deflateSync(Buffer.alloc(2 ** 24)).toString('base64')
  const variable = (name: string) =>
    `<Byte name="${name}"><Dim size="16777216"/><dmrpp:missingdata>${zeros}</dmrpp:missingdata></Byte>`
  const { root } = await parse(documentOf(['a', 'b', 'c', 'd', 'e'].map(variable).join('')))
  assert.ok(arrayAt(root, 'd'))
  assert.match(reasonAt(root, 'e'), /more than 67108864 bytes/)
  const text = `<v c="2000000">${'x'.repeat(200)}</v>`
  await assert.rejects(parse(documentOf(`<String name="a"><dmrpp:vlsa>${text}</dmrpp:vlsa></String>`)), /more than/)
})

test('records with text become arrays of their members', async () => {
  const record = (number: number, text: string) =>
    Buffer.concat([Buffer.from(Int32Array.of(number).buffer), Buffer.from(`${Buffer.from(text).toString('base64')};`)])
  const data = Buffer.concat([record(1, 'one'), record(2, '')]).toString('base64')
  const special = (text: string) =>
    documentOf(`<Structure name="s"><Int32 name="n"/><String name="t"/><Dim size="2"/>
      <dmrpp:specialstructuredata>${text}</dmrpp:specialstructuredata></Structure>`)
  const { root } = await parse(special(data))
  assert.equal(memberAt(root, 's')?.kind, 'group')
  assert.deepEqual(asStored(arrayAt(root, 's/n')).chunks.at([0]), {
    kind: 'inline',
    bytes: new Uint8Array(Int32Array.of(1, 2).buffer),
    encoding: 0,
  })
  assert.deepEqual(arrayAt(root, 's/t').dataType, { kind: 'string' })
  assert.ok(reasonAt((await parse(special(data.slice(0, 8)))).root, 's'))
})

test('what has no name, or that of another, is passed over and told', async () => {
  const { root, diagnostics } = await parse(documentOf(`<Int8 name="a">${CHUNKS}</Int8><Group name="a"/><Group/>`))
  assert.equal(arrayAt(root, 'a').kind, 'array')
  assert.equal(root.members.size, 1)
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['name-unusable', 'name-unusable'],
  )
})

test('__proto__ is a name like any other', async () => {
  const { root } = await parse(
    documentOf(`<Int8 name="__proto__">${attribute('__proto__', 'Int8', '1')}${CHUNKS}</Int8>`),
  )
  assert.equal(arrayAt(root, '__proto__').attributes.get('__proto__'), 1)
})

test('records whose fill has several values in one member: its chunks that were never written hold them', async () => {
  const { root } = await parse(
    documentOf(`<Structure name="s"><Int16 name="pair"><Dim size="2"/></Int16><Dim size="4"/>
      <dmrpp:chunks fillValue="7 8" byteOrder="LE"><dmrpp:chunkDimensionSizes>2</dmrpp:chunkDimensionSizes>
      <dmrpp:chunk offset="0" nBytes="8" chunkPositionInArray="[0]"/></dmrpp:chunks></Structure>`),
  )
  assert.deepEqual(arrayAt(root, 's').fillValue, { kind: 'bytes', value: Uint8Array.of(7, 0, 8, 0) })
  const served = withPortableTypes(root, () => {})
  assert.ok(served.kind === 'group')
  const pair = arrayAt(served, 's/pair')
  const ref = await asStored(pair).chunks.at([1, 0])
  assert.deepEqual(ref.kind === 'inline' && [...ref.bytes], [7, 0, 8, 0, 7, 0, 8, 0])
})
