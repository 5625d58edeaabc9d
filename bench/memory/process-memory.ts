import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const PROBE_SECONDS = 60

/** Where the resident memory of a process is, in bytes. */
export interface ProcessMemory {
  readonly resident: number
  readonly heapUsed: number
  readonly heapTotal: number
  readonly external: number
  /** Part of `external`. */
  readonly arrayBuffers: number
  /** Heaps of the threads, and how many there are. */
  readonly workerHeaps: number
  readonly workers: number
  readonly mappings: Mappings
}

/** Resident bytes by what they are mapped for (proc(5), smaps). */
interface Mappings {
  /** The program and its libraries. */
  readonly files: number
  /** Compiled code of V8 and of WebAssembly. */
  readonly code: number
  /** glibc's main arena. */
  readonly mainArena: number
  /** glibc's arenas of other threads: 64 MiB each of address space. */
  readonly threadArenas: number
  /** Parts of mappings of 1 GiB and more: memories of WebAssembly with their guard regions. */
  readonly webAssembly: number
  /** Pages of V8's heaps: mappings that begin at multiples of 256 KiB and are no longer than that. */
  readonly v8Pages: number
  /** Other anonymous mappings: long array buffers, stacks, long allocations. */
  readonly others: number
}

/** Of a process that was started with `probe.cjs`. */
export async function memoryOfProcess(pid: number, probePath: string): Promise<ProcessMemory> {
  rmSync(probePath, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let waited = 0; !existsSync(probePath); waited += 0.1) {
    if (waited > PROBE_SECONDS) throw new Error(`process ${pid} has not answered its probe in ${PROBE_SECONDS} s`)
    await setTimeout(100)
  }
  const { memory, workers } = JSON.parse(readFileSync(probePath, 'utf8')) as {
    readonly memory: NodeJS.MemoryUsage
    readonly workers: readonly { readonly total_physical_size: number; readonly malloced_memory: number }[]
  }
  return {
    resident: statusBytes(pid, 'VmRSS'),
    heapUsed: memory.heapUsed,
    heapTotal: memory.heapTotal,
    external: memory.external,
    arrayBuffers: memory.arrayBuffers,
    workerHeaps: workers.reduce((sum, each) => sum + each.total_physical_size, 0),
    workers: workers.length,
    mappings: mappingsOf(readFileSync(`/proc/${pid}/smaps`, 'latin1')),
  }
}

/** The highest resident memory since `resetPeak`. */
export function peakOf(pid: number): number {
  return statusBytes(pid, 'VmHWM')
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}

const ARENA_BYTES = 2 ** 26
const V8_PAGE_BYTES = 2 ** 18

interface Mapping {
  readonly start: number
  readonly end: number
  readonly access: string
  readonly name: string
  readonly resident: number
}

function mappingsOf(smaps: string): Mappings {
  const mappings = parsed(smaps)
  const sums = { files: 0, code: 0, mainArena: 0, threadArenas: 0, webAssembly: 0, v8Pages: 0, others: 0 }
  for (const [at, mapping] of mappings.entries()) sums[kindOf(mapping, mappings[at + 1])] += mapping.resident
  return sums
}

function kindOf({ start, end, access, name }: Mapping, next: Mapping | undefined): keyof Mappings {
  if (name === '[heap]') return 'mainArena'
  if (name.startsWith('/') && !name.startsWith('/dev/zero')) return 'files'
  if (access.includes('x')) return 'code'
  const reservedEnd = next?.start === end && next.access.startsWith('---') ? next.end : end
  if (reservedEnd - start >= 2 ** 30) return 'webAssembly'
  if (start % ARENA_BYTES === 0 && reservedEnd - start === ARENA_BYTES) return 'threadArenas'
  if (start % V8_PAGE_BYTES === 0 && (end - start) % V8_PAGE_BYTES === 0) return 'v8Pages'
  return 'others'
}

function parsed(smaps: string): Mapping[] {
  const mappings: Mapping[] = []
  let head: RegExpExecArray | null = null
  for (const line of smaps.split('\n')) {
    head = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+\s*(.*)$/.exec(line) ?? head
    const resident = /^Rss:\s+(\d+) kB/.exec(line)?.[1]
    if (head === null || resident === undefined) continue
    const [, start = '', end = '', access = '', name = ''] = head
    const [from, to] = [Number.parseInt(start, 16), Number.parseInt(end, 16)]
    mappings.push({ start: from, end: to, access, name, resident: Number(resident) * 1024 })
  }
  return mappings
}
