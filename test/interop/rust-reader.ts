import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CRATE = fileURLToPath(new URL('rust/', import.meta.url))
const TARGET = fileURLToPath(new URL('../../node_modules/.cache/interop-rust/', import.meta.url))

/** What the reader is told to read of one store. */
export interface RustCase {
  readonly id: string
  readonly url: string
  readonly paths: readonly string[]
}

export interface RustAnswer {
  readonly id: string
  readonly arrays: Readonly<Record<string, { readonly sha256?: string; readonly error?: string }>>
  /** How many documents the store lists. */
  readonly listed: number
}

/** Reads with Rust's zarrs over object_store. */
export type RustReader = (cases: readonly RustCase[]) => Promise<readonly RustAnswer[]>

/** Builds the reader, or says why it can't be built here; what is wrong with its own code is an error. */
export function rustReader(): { readonly read: RustReader } | { readonly skip: string } {
  if (spawnSync('cargo', ['--version']).status !== 0) return { skip: 'cargo is not installed' }
  const words = ['build', '--locked', '--manifest-path', `${CRATE}Cargo.toml`, '--target-dir', TARGET]
  // Minutes the first time: it is built from source, TLS included.
  const { status, stderr } = spawnSync('cargo', words, { encoding: 'utf8' })
  if (status === 0) return { read: runReader }
  if (/could not compile `interop-zarrs`/.test(stderr)) throw new Error(stderr)
  return { skip: `cargo can't build it: ${stderr.trim().split('\n').at(-1)}` }
}

async function runReader(cases: readonly RustCase[]): Promise<readonly RustAnswer[]> {
  // Not the synchronous form: what is read may be served by this process.
  const child = spawn(`${TARGET}debug/interop-zarrs`, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.end(JSON.stringify(cases))
  let text = ''
  for await (const part of child.stdout.setEncoding('utf8')) text += part
  const code = await ended
  if (code !== 0) throw new Error(`the Rust reader ended with status ${code}`)
  return JSON.parse(text) as RustAnswer[]
}
