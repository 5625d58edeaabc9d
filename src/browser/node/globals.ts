// Globals of Node that this project uses, for browsers: the build puts them where they are named.

import { Buffer } from 'buffer/index.js'

Object.assign(Buffer, { allocUnsafeSlow: Buffer.allocUnsafe })

export { Buffer }

const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port1.addEventListener('message', () => waiting.shift()?.())
channel.port1.start()

/** After what is due already, and sooner than a timer, of which browsers hold back each after the fifth. */
export function setImmediate(call: () => void): void {
  waiting.push(call)
  channel.port2.postMessage(undefined)
}

export const process = { nextTick: (call: () => void) => queueMicrotask(call) }

/** Timers that a process need not wait for: a page ends when it is left. */
export function setTimeout(call: () => void, milliseconds?: number) {
  return unreferenced(globalThis.setTimeout, globalThis.clearTimeout, call, milliseconds)
}

export function setInterval(call: () => void, milliseconds?: number) {
  return unreferenced(globalThis.setInterval, globalThis.clearInterval, call, milliseconds)
}

export function clearTimeout(timer: Timer | undefined): void {
  timer?.stop()
}

export function clearInterval(timer: Timer | undefined): void {
  timer?.stop()
}

interface Timer {
  unref(): Timer
  refresh(): Timer
  stop(): void
}

type Start = (call: () => void, milliseconds?: number) => unknown

function unreferenced(
  start: Start,
  end: (id: never) => void,
  call: () => void,
  milliseconds: number | undefined,
): Timer {
  let id = start(call, milliseconds)
  const timer: Timer = {
    unref: () => timer,
    refresh() {
      timer.stop()
      id = start(call, milliseconds)
      return timer
    },
    stop: () => end(id as never),
  }
  return timer
}
