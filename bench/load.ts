import { Pool } from 'undici'

/** One measurement: as many requests as `connections` keep-alive connections bring in `seconds`. */
export interface LoadTask {
  readonly origin: string
  /** Asked for in turn, each with its own headers. */
  readonly requests: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[]
  /** Bytes of every body; anything else is an error. */
  readonly bodyLength: number
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p99Milliseconds: number
  readonly errors: number
}

/** A child process of the benchmarks: sends load, so that neither server pays for it. */
async function run(task: LoadTask): Promise<LoadResult> {
  const pool = new Pool(task.origin, { connections: task.connections, pipelining: 1 })
  const durations: number[] = []
  let errors = 0
  let turn = 0
  const end = performance.now() + task.seconds * 1000
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const request = task.requests[turn++ % task.requests.length]
      if (request === undefined) return
      const start = performance.now()
      const length = await bodyLength(pool, request.path, request.headers)
      durations.push(performance.now() - start)
      if (length !== task.bodyLength) errors++
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: task.connections }, client))
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  durations.sort((a, b) => a - b)
  return {
    requests: durations.length,
    requestsPerSecond: durations.length / seconds,
    p99Milliseconds: durations[Math.floor(durations.length * 0.99)] ?? 0,
    errors,
  }
}

/** Length of a 200 or 206 answer's body; -1 for any other answer. The lowest level of undici: the cheapest client. */
function bodyLength(pool: Pool, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve) => {
    let length = -1
    pool.dispatch(
      { method: 'GET', path, headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          if (status === 200 || status === 206) length = 0
        },
        onResponseData(_controller, chunk) {
          if (length >= 0) length += chunk.length
        },
        onResponseEnd: () => resolve(length),
        onResponseError: () => resolve(-1),
      },
    )
  })
}

process.on('message', (task: LoadTask) => {
  run(task).then((result) => process.send?.(result))
})
process.send?.({ url: '' })
