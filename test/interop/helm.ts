import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { goTool } from './go-tool.ts'
import { type Resource, Resources } from './kubernetes-resources.ts'

const CHART = fileURLToPath(new URL('../../deploy/chart', import.meta.url))

/** Its program; undefined where it can't be had. */
export const helm = () => goTool('helm.sh/helm/v3/cmd/helm', 'v3.22.0')

/** What the fleet's chart becomes for a release named fleet; throws with what helm says where it takes it amiss. */
export function rendered(
  program: string,
  values: object,
  kubernetes = '1.37',
  flags: readonly string[] = [],
): Resources {
  const run = (words: readonly string[]) => {
    const all = [...words, CHART, '--values', '-', '--kube-version', kubernetes, ...flags]
    const { status, stdout, stderr } = spawnSync(program, all, { input: JSON.stringify(values), encoding: 'utf8' })
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
    return stdout
  }
  run(['lint', '--strict'])
  return new Resources(
    parseAllDocuments(run(['template', 'fleet'])).map((document) => {
      if (document.errors[0] !== undefined) throw document.errors[0]
      return document.toJS() as Resource
    }),
  )
}
