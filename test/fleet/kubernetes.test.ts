import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/server/config.ts'
import { runApp } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

// examples/fleet/kustomization.yaml and what it names: that all they refer to is there, in them or in the server.

type Labels = Readonly<Record<string, string>>
interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string }
  readonly tcpSocket?: { readonly port: string }
}
interface Container {
  readonly name: string
  readonly image: string
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly optional?: boolean }
  }[]
  readonly resources: { readonly requests: Labels; readonly limits: Labels }
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
}
interface Pod {
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
}
interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector?: Labels | { readonly matchLabels: Labels }
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
    readonly ports?: readonly { readonly port: number; readonly targetPort: string }[]
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string }
    readonly metrics?: readonly { readonly pods?: { readonly metric: { readonly name: string } } }[]
    readonly replicas?: number
  }
}

const FOLDER = fileURLToPath(new URL('../../examples/fleet/', import.meta.url))
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const kustomization = parse(text('kustomization.yaml')) as {
  resources: string[]
  configMapGenerator: { name: string; files?: string[]; envs?: string[] }[]
  images: { name: string }[]
}
const all = kustomization.resources.flatMap((name) =>
  parseAllDocuments(text(name)).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS() as Resource
  }),
)
const of = (kind: string) => all.filter((resource) => resource.kind === kind)
const podOf = ({ spec }: Resource): Pod => spec.template?.spec ?? assert.fail('it has no pods')
const containersOf = (resource: Resource) => [...podOf(resource).containers, ...(podOf(resource).initContainers ?? [])]
const isSelected = (selector: Labels, { spec }: Resource) =>
  Object.entries(selector).every(([name, value]) => spec.template?.metadata.labels[name] === value)
const selectorOf = ({ spec: { selector = {} } }: Resource) =>
  ('matchLabels' in selector ? selector.matchLabels : selector) as Labels
const settings = () =>
  Object.fromEntries(
    text('kubernetes/settings.env')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  )
function bytesOf(quantity = ''): number {
  const [, number = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? assert.fail(`no quantity: ${quantity}`)
  return Number(number) * (unit === 'Mi' ? 2 ** 20 : 2 ** 30)
}

describe('a fleet for Kubernetes', () => {
  test('every file is named, and every name is used once a kind', () => {
    const files = readdirSync(join(FOLDER, 'kubernetes')).map((name) => `kubernetes/${name}`)
    const generated = kustomization.configMapGenerator.flatMap(({ files = [], envs = [] }) => [...files, ...envs])
    for (const name of generated) assert.ok(text(name).length > 0, name)
    assert.deepEqual(
      [...kustomization.resources, ...generated.filter((name) => name !== 'nginx.conf')].sort(),
      files.sort(),
    )
    const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(of('Deployment').length, 3)
  })

  test('selectors find the pods of one deployment, its own', () => {
    const selecting = all.filter(({ spec }) => spec.selector !== undefined)
    assert.equal(selecting.length, 8)
    for (const resource of selecting) {
      const selector = selectorOf(resource)
      const found = of('Deployment').filter((each) => isSelected(selector, each))
      assert.equal(found.length, 1, `${resource.kind} ${resource.metadata.name}`)
      if (resource.kind === 'Deployment') assert.equal(found[0], resource)
    }
  })

  test('services and probes name ports that there are', () => {
    for (const service of of('Service')) {
      const target = of('Deployment').find((each) => isSelected(selectorOf(service), each)) ?? assert.fail()
      const ports = podOf(target).containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
      for (const { targetPort } of service.spec.ports ?? []) assert.ok(ports.includes(targetPort), targetPort)
    }
    for (const container of of('Deployment').flatMap((resource) => podOf(resource).containers)) {
      const probes = [
        container.livenessProbe,
        container.readinessProbe,
        container.startupProbe ?? container.livenessProbe,
      ]
      for (const probe of probes) {
        const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port
        assert.ok(
          container.ports?.some(({ name }) => name === port),
          `${container.name}: ${port}`,
        )
      }
    }
  })

  test('containers are bounded, write to nothing but volumes, and find the volumes and maps that they mount', () => {
    const maps = kustomization.configMapGenerator.map(({ name }) => name)
    for (const deployment of of('Deployment')) {
      const volumes = podOf(deployment).volumes ?? []
      for (const { configMap } of volumes) assert.ok(configMap === undefined || maps.includes(configMap.name))
      for (const container of containersOf(deployment)) {
        assert.ok(bytesOf(container.resources.requests['memory']) <= bytesOf(container.resources.limits['memory']))
        assert.equal(container.securityContext.readOnlyRootFilesystem, true)
        for (const { name } of container.volumeMounts ?? [])
          assert.ok(
            volumes.some((volume) => volume.name === name),
            name,
          )
        for (const { configMapRef, secretRef } of container.envFrom ?? []) {
          if (configMapRef !== undefined) assert.ok(maps.includes(configMapRef.name))
          else assert.equal(secretRef?.optional, true)
        }
      }
    }
    for (const { name } of kustomization.images)
      assert.ok(
        of('Deployment').some((each) => containersOf(each).some(({ image }) => image === name)),
        name,
      )
  })

  test('the server takes its settings, fits into its memory, and has the time it drains for', () => {
    const environment = settings()
    const { cacheBytes } = readConfig({ flags: {}, environment, bundledCatalog: undefined })
    const replicas = of('Deployment').find(({ metadata }) => metadata.name === 'virtual-zarr') ?? assert.fail()
    const [container = assert.fail()] = podOf(replicas).containers
    assert.ok(2 * cacheBytes < bytesOf(container.resources.limits['memory']))
    assert.equal(Number(environment['PORT']), container.ports?.[0]?.containerPort)
    assert.equal(environment['HOST'], '0.0.0.0')
    assert.ok((podOf(replicas).terminationGracePeriodSeconds ?? 0) >= 30)
    assert.ok(container.volumeMounts?.some(({ mountPath }) => mountPath === environment['VZ_MANIFEST_DIR']))
    const { hostname, port } = new URL(environment['VZ_REDIS_URL'] ?? '')
    const valkey = of('Service').find(({ metadata }) => metadata.name === hostname) ?? assert.fail(hostname)
    assert.equal(valkey.spec.ports?.[0]?.port, Number(port))
  })

  test('the server answers its probes, and tells what the autoscaler counts', async () => {
    const app = await runApp({ 'a.nc': netcdf3File() })
    try {
      const probes = of('Deployment').flatMap((each) => podOf(each).containers)
      const paths = probes.flatMap(({ startupProbe, livenessProbe, readinessProbe }) =>
        [startupProbe, livenessProbe, readinessProbe].flatMap((probe) => probe?.httpGet?.path ?? []),
      )
      assert.equal(paths.length, 3)
      for (const url of paths) assert.equal((await app.http.inject({ url })).statusCode, 200, url)
      const { body } = await app.http.inject({ url: '/metrics' })
      const [autoscaler = assert.fail()] = of('HorizontalPodAutoscaler')
      const metrics = autoscaler.spec.metrics?.flatMap(({ pods }) => pods?.metric.name ?? []) ?? []
      assert.equal(metrics.length, 1)
      for (const name of metrics) assert.ok(body.includes(`# TYPE ${name} gauge`), name)
      const { kind, name } = autoscaler.spec.scaleTargetRef ?? assert.fail()
      const scaled = all.find((each) => each.kind === kind && each.metadata.name === name) ?? assert.fail()
      assert.equal(scaled.spec.replicas, undefined, 'two would say how many there are')
    } finally {
      await app.close()
    }
  })

  test('nginx asks the replicas that there are at the moment, wherever the pod looks for names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vz-kubernetes-'))
    try {
      const service = of('Service').find(({ metadata }) => metadata.name === 'virtual-zarr-replicas') ?? assert.fail()
      for (const [address, resolver] of [
        ['10.96.0.10', '10.96.0.10'],
        ['fd00::a', '[fd00::a]'],
      ] as const) {
        writeFileSync(
          join(folder, 'resolv.conf'),
          `search data.svc.cluster.local\nnameserver ${address}\nnameserver 8.8.8.8\n`,
        )
        const written = execFileSync('sh', [join(FOLDER, 'kubernetes/upstream.sh')], {
          input: text('nginx.conf'),
          env: { ...process.env, NAMESPACE: 'data', RESOLV_CONF: join(folder, 'resolv.conf') },
          encoding: 'utf8',
        })
        const added = written.split('\n').filter((line) => !text('nginx.conf').includes(line))
        assert.deepEqual(
          added.map((line) => line.trim()),
          [
            `resolver ${resolver} valid=5s;`,
            'zone replicas 256k;',
            `server ${service.metadata.name}.data.svc.cluster.local:${service.spec.ports?.[0]?.port} resolve max_fails=2 fail_timeout=2s; # place`,
          ],
        )
        assert.doesNotMatch(written, /virtual-zarr-\d/)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
