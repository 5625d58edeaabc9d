import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Whether anybody listens there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isThere = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return isThere
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not within 60 s: ${what}`)
}

test('TERM to npm start ends the server, and frees its port', async () => {
  // Without what runs before it, which builds the page where that is out of date.
  const npm = spawn('npm', ['start', '--ignore-scripts', '--', '--port', '0'], { cwd: ROOT, detached: true })
  const ended = once(npm, 'close')
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (bytes) => {
      output += bytes
    })
  try {
    await until(() => output.includes('listening at') || npm.exitCode !== null, 'the server listens')
    const port = Number(/listening at http:\/\/[^:]+:(\d+)/.exec(output)?.[1])
    assert.ok(port > 0, output)
    npm.kill('SIGTERM')
    await ended
    await until(async () => !(await answers(port)), 'the port is free')
    assert.match(output, /"msg":"stopped"/, 'it drained')
  } finally {
    // Its group: the server as well, should it have stayed.
    if (npm.pid !== undefined)
      try {
        process.kill(-npm.pid, 'SIGKILL')
      } catch {
        // all have ended
      }
  }
})
