#!/usr/bin/env bash
# What others do with the npm package: `scripts/check-outside.sh FOLDER`, where it is installed in FOLDER/user and packed in FOLDER/dist.
# Exports and types by publint and attw; the format that docs/writing-a-format.md builds, type-checked and served; a page, bundled.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1
user=$work/user

echo 'Exports and types:'
mkdir -p "$work/tools"
(cd "$work/tools" && npm init -y >/dev/null &&
  npm install --no-audit --no-fund --loglevel=error --include=dev publint@0.3.25 @arethetypeswrong/cli@0.18.5 typescript esbuild@0.28.2 >/dev/null)
bin=$work/tools/node_modules/.bin
"$bin/publint" run "$work"/dist/*.tgz --strict
"$bin/attw" "$work"/dist/*.tgz --profile esm-only --format ascii

echo 'A format from outside:'
# The module is the blocks of the page, one after the other; the file is what numpy.save writes.
sed -n '/^```ts$/,/^```$/{/^```/!p}' docs/writing-a-format.md > "$user/npy.ts"
node -e '
  const header = "\x93NUMPY\x01\x00v\x00{\u0027descr\u0027: \u0027>f4\u0027, \u0027fortran_order\u0027: False, \u0027shape\u0027: (2, 3), }".padEnd(127) + "\n"
  const values = Buffer.from("000000003f0000003f8000003fc000004000000040200000", "hex")
  require("fs").writeFileSync(process.argv[1], Buffer.concat([Buffer.from(header, "latin1"), values]))
' "$user/a.npy"
echo 'formats: [./npy.ts]' > "$user/config.yaml"
cat > "$user/program.ts" <<'END'
import { formats, serve, virtualStore, type VirtualStore } from 'virtual-zarr-server'
import * as zarr from 'zarrita'
import { npy } from './npy.ts'

const valuesOf = async (store: zarr.AsyncReadable): Promise<string> => {
  const array = await zarr.open(zarr.root(store), { kind: 'array' })
  return String((await zarr.get(array) as zarr.Chunk<'float32'>).data)
}
const store: VirtualStore = virtualStore('a.npy', { formats: [npy, ...formats] })
const service = await serve({ paths: ['a.npy'], settings: { port: 0, config: 'config.yaml', 'log-level': 'silent' } })
const read = [await valuesOf(store), await valuesOf(new zarr.FetchStore(`${service.url}/zarr/a.npy`))]
await service.close()
if (read.some((values) => values !== '0,0.5,1,1.5,2,2.5')) throw new Error(read.join(' and '))
END
(cd "$user" && npm pkg set type=module >/dev/null &&
  # Our own types stand alone; those of zarrita's packages don't.
  "$bin/tsc" --noEmit --strict --module nodenext --target es2024 npy.ts &&
  "$bin/tsc" --noEmit --strict --module nodenext --target es2024 --allowImportingTsExtensions --skipLibCheck program.ts &&
  node program.ts && echo '  typed, read by the library and served')

echo 'A page from outside:'
echo "import { virtualStore } from 'virtual-zarr-server'; globalThis.store = virtualStore" > "$user/page.js"
(cd "$user" && "$bin/esbuild" page.js --bundle --splitting --format=esm --platform=browser --outdir=page --log-level=error)
if grep -lE "[\"']node:" "$user"/page/*.js; then echo 'a module of Node is on the way of a page' >&2; exit 1; fi
echo "  bundled: $(ls "$user/page" | wc -l) files"
