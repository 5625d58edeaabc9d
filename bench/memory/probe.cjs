// Preloaded into the service by `npm run bench memory`: on SIGUSR2 it writes what V8 knows of this process and its threads to MEMORY_PROBE.
const { writeFileSync, renameSync } = require('node:fs')
const { getHeapStatistics } = require('node:v8')
const threads = require('node:worker_threads')

if (threads.isMainThread) {
  const workers = new Set()
  const Original = threads.Worker
  threads.Worker = class Worker extends Original {
    constructor(...args) {
      super(...args)
      workers.add(this)
      this.once('exit', () => workers.delete(this))
    }
  }
  require('node:module').syncBuiltinESMExports()

  process.on('SIGUSR2', async () => {
    const heaps = await Promise.all([...workers].map((worker) => worker.getHeapStatistics().catch(() => undefined)))
    const state = { memory: process.memoryUsage(), heap: getHeapStatistics(), workers: heaps.filter(Boolean) }
    const path = process.env.MEMORY_PROBE
    writeFileSync(`${path}.part`, JSON.stringify(state))
    renameSync(`${path}.part`, path)
  })
}
