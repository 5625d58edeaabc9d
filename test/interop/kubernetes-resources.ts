import assert from 'node:assert/strict'

// What Kubernetes is told, as far as tests look at it.

type Texts = Readonly<Record<string, string>>
interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string }
  readonly tcpSocket?: { readonly port: string }
}
interface Container {
  readonly name: string
  readonly image: string
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly name: string }
  }[]
  readonly resources: { readonly requests: Texts; readonly limits: Texts }
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
export interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Texts
  readonly spec: {
    readonly selector?: Texts | { readonly matchLabels: Texts }
    readonly template?: { readonly metadata: { readonly labels: Texts }; readonly spec: Pod }
    readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string }
    readonly metrics?: readonly { readonly pods?: { readonly metric: { readonly name: string } } }[]
    readonly replicas?: number
  }
}

/** A fleet's resources, and how they find each other. */
export class Resources {
  readonly all: readonly Resource[]

  constructor(all: readonly Resource[]) {
    this.all = all
  }

  of(kind: string): readonly Resource[] {
    return this.all.filter((resource) => resource.kind === kind)
  }

  named(kind: string, name: string): Resource {
    return this.of(kind).find(({ metadata }) => metadata.name === name) ?? assert.fail(`no ${kind} ${name}`)
  }

  /** The deployments whose pods it finds. */
  selectedBy({ spec: { selector = {} } }: Resource): readonly Resource[] {
    const labels = Object.entries(('matchLabels' in selector ? selector.matchLabels : selector) as Texts)
    return this.of('Deployment').filter(({ spec }) =>
      labels.every(([name, value]) => spec.template?.metadata.labels[name] === value),
    )
  }
}

export function podOf({ spec }: Resource): Pod {
  return spec.template?.spec ?? assert.fail('it has no pods')
}

export function probesOf({ startupProbe, livenessProbe, readinessProbe }: Container): readonly Probe[] {
  return [startupProbe, livenessProbe, readinessProbe].filter((probe) => probe !== undefined)
}

/** Of a quantity such as 64Mi. */
export function bytesOf(quantity = ''): number {
  const [, number = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? assert.fail(`no quantity: ${quantity}`)
  return Number(number) * (unit === 'Mi' ? 2 ** 20 : 2 ** 30)
}
