import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// deploy/chart/files; what helm makes of the chart is tested in test/interop/fleet-chart.test.ts.

const FOLDER = fileURLToPath(new URL('../../deploy/chart/files/', import.meta.url))
const REPLICAS = 'fleet-replicas.data.svc.cluster.local'

test('nginx asks the replicas that there are at the moment, wherever the pod looks for names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vz-upstream-'))
  const configuration = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8')
  try {
    for (const [address, resolver] of [
      ['10.96.0.10', '10.96.0.10'],
      ['fd00::a', '[fd00::a]'],
    ] as const) {
      const resolvers = join(folder, 'resolv.conf')
      writeFileSync(resolvers, `search data.svc.cluster.local\nnameserver ${address}\nnameserver 8.8.8.8\n`)
      const written = execFileSync('sh', [join(FOLDER, 'upstream.sh')], {
        input: configuration,
        env: { ...process.env, REPLICAS, RESOLV_CONF: resolvers },
        encoding: 'utf8',
      })
      const added = written.split('\n').filter((line) => !configuration.includes(line))
      assert.deepEqual(
        added.map((line) => line.trim()),
        [
          `resolver ${resolver} valid=5s;`,
          'zone replicas 256k;',
          `server ${REPLICAS}:8080 resolve max_fails=2 fail_timeout=2s; # place`,
        ],
      )
      assert.doesNotMatch(written, /virtual-zarr-\d/)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
