import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOfSegment, addressOfText, segmentOf } from '../../web/src/state/address.ts'
import { queryOfView, START, type View, viewOfQuery } from '../../web/src/state/view.ts'

const SERVICE = new URL('http://127.0.0.1:8080/')

test('a view that is written to the address is read from it again', () => {
  const view: View = {
    address: { source: 'https://h/ä b.nc?x=1&y=2', options: 'missing=fill;codecs=raw' },
    path: 'group/a:b, "c"',
    tab: 'storage',
    at: { 'time, or': 3, 'a:1': 0 },
    axes: ['lat', 'x&y'],
    isMap: false,
    colours: 'magma',
    range: [-1.5, 3e30],
    versus: '~aHR0cDovL2gvYQ;codecs=raw',
  }
  assert.deepEqual(viewOfQuery(queryOfView(view)), view)
  assert.equal(queryOfView(START), '')
  assert.deepEqual(viewOfQuery(''), START)
})

test('what an address says wrongly is as if it were not said', () => {
  const view = viewOfQuery('?tab=evil&at=time:x,:3,lat:-1&axis=a&range=1,cat&map=maybe&source=')
  assert.deepEqual(view, { ...START, isMap: false })
})

test('a source is opened under the name that its store has', () => {
  assert.equal(segmentOf({ source: 'sea-surface', options: '' }), 'sea-surface')
  const url = 'https://example.org/größe.nc'
  const segment = segmentOf({ source: url, options: 'codecs=raw' })
  assert.equal(segment, `~${Buffer.from(url).toString('base64url')};codecs=raw`)
  assert.deepEqual(addressOfSegment(segment), { source: url, options: 'codecs=raw' })
  assert.equal(addressOfSegment('~///'), undefined)
})

test('the field takes the URL of a source, of a store of this service, and a catalog id', () => {
  assert.deepEqual(addressOfText(' https://h/a.nc ', SERVICE), { source: 'https://h/a.nc', options: '' })
  assert.deepEqual(addressOfText('http://127.0.0.1:8080/zarr/buoy;codecs=raw/lat/zarr.json', SERVICE), {
    source: 'buoy',
    options: 'codecs=raw',
  })
  assert.deepEqual(addressOfText('buoy', SERVICE), { source: 'buoy', options: '' })
  assert.equal(addressOfText('  ', SERVICE), undefined)
})
