import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
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

/** Starts a command that serves on a free port, and ends it by TERM: the server drains, and its port is free. */
async function checkTerm(command: string, words: readonly string[]): Promise<void> {
  const outer = spawn(command, words, { cwd: ROOT, detached: true })
  let hasEnded = false
  outer.once('close', () => {
    hasEnded = true
  })
  let output = ''
  for (const stream of [outer.stdout, outer.stderr])
    stream.on('data', (bytes) => {
      output += bytes
    })
  try {
    await until(() => output.includes('listening at') || outer.exitCode !== null, 'the server listens')
    const port = Number(/listening at http:\/\/[^:]+:(\d+)/.exec(output)?.[1])
    assert.ok(port > 0, output)
    outer.kill('SIGTERM')
    // Its streams have: the server has them as well, and is the last that does.
    await until(() => hasEnded, 'the server ends')
    await until(async () => !(await answers(port)), 'the port is free')
    assert.match(output, /"msg":"stopped"/, 'it drained')
  } finally {
    // Its group: the server as well, should it have stayed.
    if (outer.pid !== undefined)
      try {
        process.kill(-outer.pid, 'SIGKILL')
      } catch {
        // all have ended
      }
  }
}

test('TERM to npm start ends the server, and frees its port', async () => {
  // Without what runs before it, which builds the page where that is out of date.
  await checkTerm('npm', ['start', '--ignore-scripts', '--', '--port', '0'])
})

test('TERM to a shell that stays between npm and the server ends both', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`
  // With a command after it no shell gives its place away.
  await checkTerm('sh', ['-c', `PATH='${path}'; ${scripts.start} --port 0; true`])
})
