import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A child process that serves something, and how to end it. */
export interface Running {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Has a process ended when all is measured, whatever happens. */
export type Keep = <Process extends Running>(starting: Promise<Process>) => Promise<Process>

/** A module of this folder as a child: it answers `{ url }` when ready; later messages are calls with one answer each. */
export interface Worker extends Running {
  call<Answer>(message: object): Promise<Answer>
}

/** Starts a module of this folder that reports its URL. */
export async function startWorker(module: string, args: readonly string[] = []): Promise<Worker> {
  const execArgv = ['--expose-gc']
  const child = fork(new URL(module, import.meta.url), args, {
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [ready] = (await once(child, 'message')) as [{ url: string }]
  return {
    url: ready.url,
    pid: child.pid ?? 0,
    stop: () => end(child),
    async call<Answer>(message: object): Promise<Answer> {
      child.send(message)
      const [answer] = await once(child, 'message')
      return answer as Answer
    },
  }
}

/** Starts a program that listens on `port`, and waits until it accepts connections. */
export async function startProgram(
  command: string,
  args: readonly string[],
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const url = `http://127.0.0.1:${port}/`
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null) throw new Error(`${command} ended with status ${child.exitCode}`)
    // Any answer will do: the page at `/` would open the whole catalog.
    const answered = await fetch(`${url}health/live`).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    )
    if (answered) return { url, pid: child.pid ?? 0, stop: () => end(child) }
    if (attempt === 1200) throw new Error(`${command} does not listen on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A program that talks in lines, some of which answer what it is told. */
export interface Talker extends Running {
  tell(line: string): void
  /** Its next line. */
  heard(): Promise<string>
}

export function startTalker(command: string, args: readonly string[]): Talker {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    url: '',
    pid: child.pid ?? 0,
    stop: () => end(child),
    tell: (line) => void child.stdin.write(`${line}\n`),
    async heard() {
      const line = await lines.next()
      if (line.done === true) throw new Error(`${command} ${args.join(' ')} ended`)
      return line.value
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(timer)
}
