// Reduces the project's shared test vectors to the columns that the tests use. Run from the project's root:
//   npx node test/vectors/reduce.ts <folder of the shared vectors>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'fill-values.json': [
    'id',
    'data_type',
    'value_hex_le',
    'fill_value',
    '_FillValue',
    'missing_value',
    'missing_value_convention',
    'emit_default',
  ],
  'gdal-nodata.json': ['id', 'tag_hex', 'dtype', 'expect'],
  'v2-to-v3.json': ['id', 'zarray', 'zattrs', 'zarr_json', 'diagnostics', 'example_keys'],
}

const folder = process.argv[2]
if (folder === undefined) throw new Error('the folder of the shared vectors is expected')
for (const [file, columns] of Object.entries(COLUMNS)) {
  const { tools, vectors } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const rows = vectors.map((row: Record<string, unknown>) =>
    JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]]))),
  )
  const text = `{"tools":${JSON.stringify(tools)},"vectors":[\n${rows.join(',\n')}\n]}\n`
  writeFileSync(join(import.meta.dirname, file), text)
}
