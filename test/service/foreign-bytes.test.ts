import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { formats, recogniseFormat } from '../../src/formats/registry.ts'
import { nameOfBytes } from '../../src/service/foreign-bytes.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const tar = Buffer.concat([Buffer.alloc(257), latin1('ustar\x0000'), Buffer.alloc(248)])

/** First bytes as their makers write them, and what is said of them. */
const FILES: readonly (readonly [Buffer, RegExp])[] = [
  [latin1(''), /^empty$/],
  [latin1('<!DOCTYPE html>\n<html><title>Log in</title>'), /^an HTML page/],
  [latin1('\n\n  <HTML lang="en">'), /^an HTML page/],
  [latin1('<!-- saved from --><html>'), /^an HTML page/],
  [
    latin1('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>No</Message></Error>'),
    /^an error message of an object store \(XML\): AccessDenied$/,
  ],
  [latin1('<ServiceExceptionReport><ServiceException code="x">no</ServiceException>'), /^an error message of a web/],
  [latin1('<?xml version="1.0"?><netcdf xmlns="http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2">'), /NcML/],
  [latin1('<?xml version="1.0"?><Dataset xmlns="http://xml.opendap.org/ns/DAP/4.0#" name="a.nc">'), /^a DMR document/],
  [latin1('<?xml version="1.0"?><kml/>'), /^an XML document/],
  [latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), /^a PNG picture$/],
  [latin1('\xff\xd8\xff\xe0\0\x10JFIF'), /^a JPEG picture$/],
  [latin1('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 '), /^a JPEG 2000 picture/],
  [latin1('\xff\x4f\xff\x51\0\x2f'), /^a JPEG 2000 picture/],
  [latin1('RIFF\x24\0\0\0WEBPVP8 '), /^a WebP picture$/],
  [latin1('GIF89a'), /^a GIF picture$/],
  [latin1('%PDF-1.7\n'), /^a PDF document$/],
  [latin1('BZh91AY&SY'), /bzip2/],
  [latin1('\xfd7zXZ\0\0\x04'), /xz/],
  [latin1('\x04\x22\x4d\x18'), /LZ4/],
  [latin1('7z\xbc\xaf\x27\x1c\0\x04'), /^a 7z archive/],
  [tar, /^a tar archive/],
  [latin1('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n'), /^a pointer of Git LFS/],
  [latin1('/annex/objects/SHA256E-s1--00.nc\n'), /^a pointer of git-annex/],
  [latin1('GRIB\0\0\0\x03'), /^a GRIB file of another edition than 1 and 2$/],
  [latin1('PAR1\x15\x04'), /^a Parquet file/],
  [latin1('SQLite format 3\0\x10'), /^an SQLite database/],
  [latin1('\x93NUMPY\x01\0'), /^a NumPy array/],
  [latin1('MATLAB 5.0 MAT-file, Platform'), /^a MATLAB file/],
  [latin1('{"type":"FeatureCollection","features":[]}'), /^a GeoJSON document$/],
  [latin1('{"stac_version":"1.0.0","type":"Feature"}'), /^a STAC document/],
  [latin1('{"hello": "world"}'), /^a JSON document that is neither/],
  [latin1('[1, 2, 3]'), /^a JSON document that is neither/],
  [latin1('time,lat,lon\n2020-01-01,1,2\n'), /^a table as text \(CSV\)$/],
  [latin1('a\tb\r\n1\t2\r\n'), /^a table as text \(CSV\)$/],
  [Buffer.from('Grüße\n'), /^text$/],
  [Buffer.alloc(4096), /^nothing but zeros/],
]

for (const [head, name] of FILES) {
  test(`STATUS-1: bytes that begin with ${JSON.stringify(head.toString('latin1', 0, 24))} are named`, () => {
    assert.match(nameOfBytes(head) ?? '', name)
    assert.equal(recogniseFormat(head, new URL('http://h/a')), undefined, 'no format takes them')
  })
}

test('bytes of no known kind have no name', () => {
  assert.equal(nameOfBytes(deflateRawSync(Buffer.from('some text, deflated, without a header'))), undefined)
  assert.equal(nameOfBytes(latin1('\x01\x02\x03\x04abc')), undefined)
})

test('a text whose last character is cut by the end of what is looked at is text', () => {
  assert.equal(nameOfBytes(Buffer.from('Größe').subarray(0, 3)), 'text')
})

test('a hostile head is named in bounded time', () => {
  for (const text of ['<netcdf ', '<Dataset', '<!--', '{"type":', '<a:Code>', '<catalog ']) {
    const head = Buffer.from(`<${text.repeat(1000)}`).subarray(0, 4096)
    const start = process.cpuUsage().user
    nameOfBytes(head)
    assert.ok(process.cpuUsage().user - start < 200_000, text)
  }
})

test('no signature hides a format that is read', () => {
  assert.ok(formats.length > 5)
  for (const start of ['II*\0', 'MM\0*', 'CDF\x01', '\x89HDF\r\n\x1a\n', 'SIMPLE  =', 'PK\x03\x04']) {
    assert.ok(recogniseFormat(latin1(`${start}\0\0\0\0`), new URL('http://h/a')), JSON.stringify(start))
  }
})
