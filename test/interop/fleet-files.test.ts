import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '../../src/server/config.ts'
import { runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

const text = (name: string) => readFileSync(new URL(`../../deploy/fleet/${name}`, import.meta.url), 'utf8')

test('the dashboard asks for metrics that there are', async () => {
  const app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) }, { VZ_RATE_LIMIT: '9/s' })
  try {
    await app.http.inject({ url: `${storeUrlOf(app, 'a.nc')}zarr.json` })
    const { body } = await app.http.inject({ url: '/metrics' })
    const names = [...text('grafana/virtual-zarr.json').matchAll(/\b(?:vz|process)_\w+/g)].map(([name]) => name)
    assert.ok(names.length > 10)
    for (const name of new Set(names))
      assert.ok(body.includes(`# TYPE ${name.replace(/_(?:count|bucket)$/, '')} `), name)
  } finally {
    await app.close()
  }
})

test('the compose files say under which address they are published: what a client says of it is in no link', () => {
  for (const file of ['compose.yaml', '../../docker-compose.yml']) {
    const { services } = parse(text(file)) as {
      services: Record<string, { environment?: Record<string, string>; ports?: string[] }>
    }
    const published = Object.values(services).flatMap(({ ports = [] }) => ports)
    const urls = Object.values(services).flatMap(({ environment }) => environment?.['VZ_PUBLIC_URL'] ?? [])
    assert.ok(urls.length > 0, file)
    for (const url of urls) {
      assert.equal(url, 'http://localhost:8080', file)
      assert.ok(published.includes(`127.0.0.1:${new URL(url).port}:8080`), file)
    }
  }
})

test('the compose file gives replicas settings that there are, and mounts files that there are', () => {
  const { services } = parse(text('compose.yaml')) as {
    services: Record<string, { environment?: Record<string, string>; volumes?: string[] }>
  }
  const environment = services['virtual-zarr-2']?.environment ?? {}
  assert.ok(Object.keys(environment).length > 4)
  readConfig({ flags: {}, environment, bundledCatalog: undefined })
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.filter((volume) => /^\.\.?\//.test(volume)),
  )
  assert.ok(mounted.length >= 5)
  for (const volume of mounted) assert.ok(text(volume.split(':')[0] ?? '').length > 0, volume)
  for (const replica of [1, 2, 3]) {
    assert.ok(text('../chart/files/nginx.conf').includes(`virtual-zarr-${replica}:8080`))
    assert.ok(text('prometheus.yaml').includes(`virtual-zarr-${replica}:8080`))
  }
})
