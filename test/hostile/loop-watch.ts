// Loaded into the server that is measured (`--import`).
import { isMainThread } from 'node:worker_threads'

const EVERY_MILLISECONDS = 5

/**
 * The longest turn of the event loop, in processor time of its thread: on a machine that tests many things at once, most of the
 * time that passes is others'. Told, and forgotten, at each SIGUSR2.
 */
if (isMainThread) {
  let longest = 0
  let before = cpuMilliseconds()
  const look = () => {
    const now = cpuMilliseconds()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(look, EVERY_MILLISECONDS).unref()
  process.on('SIGUSR2', () => {
    look()
    process.stdout.write(`{"longestTurn":${longest}}\n`)
    longest = 0
  })
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
