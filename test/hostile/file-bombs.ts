import { gzipSync, zstdCompressSync } from 'node:zlib'
import { hduBytes, imageCards } from '../formats/fits/build.ts'
import { buildTiff, greyFields } from '../formats/tiff/build.ts'
import { type Bomb, text, times } from './bomb.ts'
import { repeated } from './bomb-origin.ts'

/** TIFF, NetCDF-3, FITS, zip, and files compressed as a whole. */
export const FILE_BOMBS: readonly Bomb[] = [
  ...['', ';layout=ifd'].map(
    (options): Bomb => ({
      name: `tiff 10,000 pages${options}`,
      source: 'pages.tif',
      options,
      files: () => ({ 'pages.tif': buildTiff(times(10_000, () => ({ fields: greyFields(1, 1) }))) }),
    }),
  ),
  {
    name: 'tiff extra samples 65535',
    source: 'samples.tif',
    files: () => ({
      'samples.tif': buildTiff([
        {
          fields: greyFields(10, 10, [
            { tag: 277, type: 3, values: [65535] },
            { tag: 258, type: 3, values: times(65535, () => 8) },
            {
              tag: 42112,
              type: 2,
              values:
                '<GDALMetadata>' +
                times(60000, (i) => `<Item name="n${i}" sample="${i}">x</Item>`).join('') +
                '</GDALMetadata>',
            },
          ]),
        },
      ]),
    }),
  },
  {
    name: 'netcdf3 16,384 variables',
    source: 'v.nc',
    files: () => {
      const w = (...n: number[]) => {
        const b = Buffer.alloc(4 * n.length)
        for (const [i, v] of n.entries()) b.writeInt32BE(v, i * 4)
        return b
      }
      const parts = [text('CDF\x01'), w(0, 0x0a, 1), w(4), text('dimx'), w(4), w(0, 0), w(0x0b, 16384)]
      for (let i = 0; i < 16384; i++)
        parts.push(w(6), text(`v${i}`.padEnd(6, '_')), w(0).subarray(0, 2), w(1, 0, 0, 0, 1, 4, 2_000_000))
      return { 'v.nc': repeated(Buffer.concat(parts), Buffer.alloc(1000), 2000) }
    },
  },
  {
    name: 'netcdf3 16,384 attributes of 100 values',
    source: 'a.nc',
    files: () => {
      const w = (...n: number[]) => {
        const b = Buffer.alloc(4 * n.length)
        for (const [i, v] of n.entries()) b.writeInt32BE(v, i * 4)
        return b
      }
      const n = 60_000
      const parts = [text('CDF\x01'), w(0, 0, 0), w(0x0c, n)]
      for (let i = 0; i < n; i++) parts.push(w(8), text(`v${i}`.padEnd(8, '_')), w(6, 8), Buffer.alloc(64, 0x41))
      parts.push(w(0, 0))
      return { 'a.nc': Buffer.concat(parts) }
    },
  },
  {
    name: 'zip 1,000,000 entries',
    source: 'm.zip',
    files: () => {
      const n = 1_000_000,
        size = 46 + 8
      const dir = Buffer.alloc(n * size)
      for (let i = 0; i < n; i++) {
        const o = i * size
        dir.writeUInt32LE(0x02014b50, o)
        dir.writeUInt16LE(8, o + 28)
        dir.write(String(i).padStart(8, 'n'), o + 46, 'latin1')
      }
      const head = Buffer.concat([text('PK\x03\x04'), Buffer.alloc(60)])
      const z64 = Buffer.alloc(56)
      z64.writeUInt32LE(0x06064b50, 0)
      z64.writeBigUInt64LE(44n, 4)
      z64.writeBigUInt64LE(BigInt(n), 24)
      z64.writeBigUInt64LE(BigInt(n), 32)
      z64.writeBigUInt64LE(BigInt(dir.length), 40)
      z64.writeBigUInt64LE(64n, 48)
      const loc = Buffer.alloc(20)
      loc.writeUInt32LE(0x07064b50, 0)
      loc.writeBigUInt64LE(BigInt(64 + dir.length), 8)
      loc.writeUInt32LE(1, 16)
      const end = Buffer.alloc(22, 0xff)
      end.writeUInt32LE(0x06054b50, 0)
      end.writeUInt16LE(0, 4)
      end.writeUInt16LE(0, 6)
      end.writeUInt16LE(0, 20)
      return { 'm.zip': Buffer.concat([head, dir, z64, loc, end]) }
    },
  },
  {
    name: 'fits 100,000 HDUs',
    source: 'h.fits',
    files: () => ({
      'h.fits': repeated(
        hduBytes(imageCards(8, [])),
        hduBytes([...imageCards(8, [], true), ['PCOUNT', 0], ['GCOUNT', 1]]),
        99_999,
      ),
    }),
  },
  {
    name: 'fits 9,000 images',
    source: 'i.fits',
    files: () => ({
      'i.fits': repeated(
        hduBytes(imageCards(8, [])),
        hduBytes([...imageCards(8, [5, 5], true), ['PCOUNT', 0], ['GCOUNT', 1]], Buffer.alloc(25)),
        9_000,
      ),
    }),
  },
  {
    name: 'fits header without end, 1 GB',
    source: 'e.fits',
    files: () => ({
      'e.fits': repeated(hduBytes(imageCards(8, [])).subarray(0, 240), text('COMMENT '.padEnd(80, 'x')), 12_000_000),
    }),
  },
  {
    name: 'fits table of 999 columns, 400 times',
    source: 't.fits',
    files: () => ({
      't.fits': repeated(
        hduBytes(imageCards(8, [])),
        hduBytes(
          [
            ['XTENSION', 'BINTABLE'],
            ['BITPIX', 8],
            ['NAXIS', 2],
            ['NAXIS1', 999],
            ['NAXIS2', 1],
            ['PCOUNT', 0],
            ['GCOUNT', 1],
            ['TFIELDS', 999],
            ...times(999, (i): [string, string] => [`TFORM${i + 1}`, '1B']),
          ],
          Buffer.alloc(999),
        ),
        400,
      ),
    }),
  },
  {
    name: 'gzip bomb of 10 GB, members',
    source: 'z.nc.gz',
    files: () => ({ 'z.nc.gz': repeated(Buffer.alloc(0), gzipSync(Buffer.alloc(16 * 2 ** 20)), 640) }),
  },
  {
    name: 'zstd bomb of 10 GB, frames',
    source: 'z.nc.zst',
    files: () => ({ 'z.nc.zst': repeated(Buffer.alloc(0), zstdCompressSync(Buffer.alloc(2 ** 27)), 80) }),
  },
  {
    name: 'zstd window of 2 GB',
    source: 'w.nc.zst',
    files: () => ({
      'w.nc.zst': Buffer.concat([
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8]),
        Buffer.from([0x02, 0x00, 0x00, 0x00]),
        Buffer.alloc(1000),
      ]),
    }),
  },
]
