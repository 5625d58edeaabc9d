import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PERIOD_MICROSECONDS = 10_000
/** Where Linux takes bounds of processor time: by version 1 of its control groups, and by version 2. */
const HIERARCHIES: readonly {
  readonly root: string
  readonly files: (microseconds: number) => readonly (readonly [file: string, text: string])[]
}[] = [
  {
    root: '/sys/fs/cgroup/cpu',
    files: (microseconds: number) => [
      ['cpu.cfs_period_us', `${PERIOD_MICROSECONDS}`],
      ['cpu.cfs_quota_us', `${microseconds}`],
    ],
  },
  {
    root: '/sys/fs/cgroup',
    files: (microseconds: number) => [['cpu.max', `${microseconds} ${PERIOD_MICROSECONDS}`]],
  },
]

/** Gives each of some processes so much of a core, and no more. */
export interface Quota {
  bound(pids: readonly number[]): void
  free(pids: readonly number[]): void
  close(): void
}

/** By control groups, one a process; undefined where this user may make none. */
export function quota(cores: number): Quota | undefined {
  const hierarchy = HIERARCHIES.find(({ root }) => existsSync(root))
  if (hierarchy === undefined) return undefined
  const { root, files } = hierarchy
  const groups = new Map<string, string>()
  function groupOf(name: string): string {
    const group = groups.get(name) ?? join(root, `vz-bench-${name}`)
    if (groups.has(name)) return group
    mkdirSync(group)
    groups.set(name, group)
    for (const [file, text] of files(cores * PERIOD_MICROSECONDS)) writeFileSync(join(group, file), text)
    return group
  }
  const move = (pid: number, group: string) => writeFileSync(join(group, 'cgroup.procs'), String(pid))
  const made: Quota = {
    bound: (pids) => pids.forEach((pid) => void move(pid, groupOf(String(pid)))),
    free: (pids) => pids.forEach((pid) => void move(pid, root)),
    close: () => groups.forEach((group) => void rmdirSync(group)),
  }
  try {
    groupOf(`of-${process.pid}`)
    return made
  } catch {
    made.close()
    return undefined
  }
}
