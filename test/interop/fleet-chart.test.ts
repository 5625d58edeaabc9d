import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { readConfig } from '../../src/server/config.ts'
import { runApp } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { helm, rendered } from './helm.ts'
import { bytesOf, podOf, probesOf, type Resource, type Resources } from './kubernetes-resources.ts'
import { interopPython } from './venv.ts'

// The chart of deploy/fleet as helm renders it: that Kubernetes takes it, and that all it refers to is there, in it or in the server.

const CHECK = fileURLToPath(new URL('python/kubernetes_check.py', import.meta.url))
/** The oldest that the chart takes, and the newest of which there are schemas. */
const KUBERNETES = ['1.25', '1.37']

/** Without its address in links nothing is rendered. */
const PUBLIC = { publicUrl: 'https://zarr.example.org' }

const VARIANTS: Readonly<Record<string, object>> = {
  'with its address alone': PUBLIC,
  'with all that can be given': {
    image: { repository: 'registry.example.org/vz', tag: '1.2.3' },
    replicas: { least: 1, most: 2, requestsInFlight: 0 },
    onlySources: ['https://data.example.org/public/', 's3://bucket/'],
    allowSources: ['http://10.0.0.7/'],
    settings: { VZ_RATE_LIMIT: '100/s', VZ_TRUST_PROXY: '10.0.0.0/8' },
    secretName: 'keys',
    redisUrl: 'rediss://redis.example.org:6380/0',
    ingress: { host: 'zarr.example.org', className: 'nginx', tlsSecret: 'certificate', annotations: { a: 'b' } },
    clusterDomain: 'cluster.example',
  },
  'without Redis': { ...PUBLIC, valkey: { enabled: false } },
}

const program = helm()
const skip = program === undefined ? 'helm could not be had: it is built with Go from its published module' : false

describe('a fleet for Kubernetes', { skip }, () => {
  for (const [name, values] of Object.entries(VARIANTS))
    describe(name, () => {
      const fleet = rendered(program ?? '', values)
      for (const version of KUBERNETES)
        test(`it is valid for Kubernetes ${version}`, () => {
          const { all } = rendered(program ?? '', values, version)
          assert.equal(complaints(all, version), '')
          const odd = all.map((each) =>
            each.kind === 'Service' ? { ...each, spec: { ...each.spec, prots: [] } } : each,
          )
          assert.match(complaints(odd, version), /Service fleet-nginx: .*prots/)
        })
      test('every name is used once a kind', () => {
        const names = fleet.all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        assert.equal(new Set(names).size, names.length)
        for (const { metadata } of fleet.all) assert.match(metadata.name, /^fleet(-|$)/)
      })
      test('selectors find the pods of one deployment, its own', () => checkSelectors(fleet))
      test('services and probes name ports that there are', () => checkPorts(fleet))
      test('containers are bounded, write to nothing but volumes, and find what they mount and read', () =>
        checkContainers(fleet))
      test('the server takes its settings, fits into its memory, and has the time it drains for', () =>
        checkSettings(fleet))
    })

  test('what is given is said', () => {
    const settings = (values: object) => rendered(program ?? '', values).named('ConfigMap', 'fleet-settings').data ?? {}
    const given = settings(VARIANTS['with all that can be given'] ?? {})
    assert.equal(given['VZ_ONLY_SOURCES'], 'https://data.example.org/public/,s3://bucket/')
    assert.equal(given['VZ_PUBLIC_URL'], 'https://zarr.example.org')
    assert.equal(given['VZ_TRUST_PROXY'], '10.0.0.0/8')
    assert.equal(settings({ ingress: { host: 'zarr.example.org' } })['VZ_TRUST_PROXY'], '2')
    assert.equal(settings(VARIANTS['without Redis'] ?? {})['VZ_REDIS_URL'], undefined)
  })

  test('values that are misspelled, or that it sets itself, are refused', () => {
    for (const values of [
      { replica: { least: 3 } },
      { replicas: { atLeast: 3 } },
      { onlySources: 'https://data.example.org/' },
      { settings: { PORT: '80' } },
      { settings: { VZ_READY_BYTES: 1_000_000_000 } },
      { redisUrl: 'redis.example.org' },
    ])
      assert.throws(() => rendered(program ?? '', { ...PUBLIC, ...values }), /schema/, JSON.stringify(values))
  })

  test('without the address in links it is refused, by the schema and by its template', () => {
    const values = [{}, { publicUrl: '' }, { publicUrl: 'zarr.example.org' }, { publicUrl: 'javascript://x' }]
    for (const value of [...values, { ingress: { host: '' } }, { settings: { VZ_PUBLIC_URL: '' } }])
      assert.throws(() => rendered(program ?? '', value), /publicUrl|schema/, JSON.stringify(value))
    assert.throws(() => rendered(program ?? '', {}, '1.37', ['--skip-schema-validation']), /publicUrl is the service's/)
    const urlOf = (value: object) =>
      rendered(program ?? '', value).named('ConfigMap', 'fleet-settings').data?.['VZ_PUBLIC_URL']
    assert.equal(urlOf(PUBLIC), 'https://zarr.example.org')
    assert.equal(urlOf({ settings: { VZ_PUBLIC_URL: 'https://a.example' } }), 'https://a.example')
    assert.equal(urlOf({ ingress: { host: 'b.example' } }), 'http://b.example')
    assert.equal(urlOf({ ...PUBLIC, ingress: { host: 'b.example', tlsSecret: 'c' } }), 'https://zarr.example.org')
  })

  test('the server answers its probes, and tells what the autoscaler counts', async () => {
    const fleet = rendered(program ?? '', PUBLIC)
    const app = await runApp({ 'a.nc': netcdf3File() })
    try {
      const probes = fleet.of('Deployment').flatMap((each) => podOf(each).containers.flatMap(probesOf))
      const paths = probes.flatMap(({ httpGet }) => httpGet?.path ?? [])
      assert.equal(paths.length, 3)
      for (const url of paths) assert.equal((await app.http.inject({ url })).statusCode, 200, url)
      const { body } = await app.http.inject({ url: '/metrics' })
      const { spec } = fleet.named('HorizontalPodAutoscaler', 'fleet')
      const metrics = spec.metrics?.flatMap(({ pods }) => pods?.metric.name ?? []) ?? []
      assert.equal(metrics.length, 1)
      for (const name of metrics) assert.ok(body.includes(`# TYPE ${name} gauge`), name)
      const { kind, name } = spec.scaleTargetRef ?? assert.fail()
      assert.equal(fleet.named(kind, name).spec.replicas, undefined, 'two would say how many there are')
    } finally {
      await app.close()
    }
  })

  test('its version is the server’s', () => {
    const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    assert.equal(parse(text('deploy/chart/Chart.yaml')).appVersion, JSON.parse(text('package.json')).version)
  })
})

/** Of Kubernetes' own schemas. */
function complaints(resources: readonly Resource[], version: string): string {
  const input = resources.map((resource) => `${JSON.stringify(resource)}\n`).join('')
  return execFileSync(interopPython(), [CHECK, version], { input, encoding: 'utf8' })
}

function checkSelectors(fleet: Resources): void {
  const selecting = fleet.all.filter(({ spec }) => spec?.selector !== undefined)
  assert.ok(selecting.length >= 6)
  for (const resource of selecting) {
    const found = fleet.selectedBy(resource)
    assert.equal(found.length, 1, `${resource.kind} ${resource.metadata.name}`)
    if (resource.kind === 'Deployment') assert.equal(found[0], resource)
  }
}

function checkPorts(fleet: Resources): void {
  for (const service of fleet.of('Service')) {
    const [target = assert.fail()] = fleet.selectedBy(service)
    const ports = podOf(target).containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
    for (const { targetPort } of service.spec.ports ?? []) assert.ok(ports.includes(targetPort), targetPort)
  }
  for (const { name, ports = [], ...container } of fleet.of('Deployment').flatMap((each) => podOf(each).containers)) {
    const probed = probesOf({ name, ports, ...container }).map(({ httpGet, tcpSocket }) => (httpGet ?? tcpSocket)?.port)
    assert.ok(probed.length >= 2, name)
    for (const port of probed)
      assert.ok(
        ports.some((each) => each.name === port),
        `${name}: ${port}`,
      )
  }
}

function checkContainers(fleet: Resources): void {
  for (const deployment of fleet.of('Deployment')) {
    const { volumes = [], containers, initContainers = [] } = podOf(deployment)
    for (const { configMap } of volumes) if (configMap !== undefined) fleet.named('ConfigMap', configMap.name)
    for (const { name, resources, securityContext, volumeMounts = [], envFrom = [] } of [
      ...containers,
      ...initContainers,
    ]) {
      assert.ok(bytesOf(resources.requests['memory']) <= bytesOf(resources.limits['memory']), name)
      assert.equal(securityContext.readOnlyRootFilesystem, true)
      for (const mount of volumeMounts)
        assert.ok(
          volumes.some((volume) => volume.name === mount.name),
          mount.name,
        )
      for (const { configMapRef } of envFrom)
        if (configMapRef !== undefined) fleet.named('ConfigMap', configMapRef.name)
    }
  }
}

function checkSettings(fleet: Resources): void {
  const environment = fleet.named('ConfigMap', 'fleet-settings').data ?? assert.fail()
  const { cacheBytes } = readConfig({ flags: {}, environment, bundledCatalog: undefined })
  const replicas = podOf(fleet.named('Deployment', 'fleet'))
  const [container = assert.fail()] = replicas.containers
  assert.ok(2 * cacheBytes < bytesOf(container.resources.limits['memory']))
  assert.equal(Number(environment['PORT']), container.ports?.[0]?.containerPort)
  assert.ok((replicas.terminationGracePeriodSeconds ?? 0) >= 30)
  assert.ok(container.volumeMounts?.some(({ mountPath }) => mountPath === environment['VZ_MANIFEST_DIR']))
  const { hostname = '', port } = URL.parse(environment['VZ_REDIS_URL'] ?? '') ?? {}
  if (fleet.of('Service').some(({ metadata }) => metadata.name === 'fleet-valkey'))
    assert.equal(fleet.named('Service', hostname).spec.ports?.[0]?.port, Number(port))
  else assert.ok(hostname === '' || hostname.includes('.'), hostname)
  const upstream = podOf(fleet.named('Deployment', 'fleet-nginx')).initContainers?.[0]
  const name = upstream?.env?.find(({ name }) => name === 'REPLICAS')?.value ?? ''
  assert.equal(fleet.named('Service', name.split('.')[0] ?? '').spec.ports?.[0]?.port, 8080)
}
