// A thread that ends its process when that has grown too large, or is nobody's any more: the reader itself may not come to look.
import { workerData } from 'node:worker_threads'

const EVERY_MILLISECONDS = 20
const { megabytes } = workerData as { readonly megabytes: number }
const parent = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > megabytes * 2 ** 20 || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, EVERY_MILLISECONDS)
