import pino, { type DestinationStream } from 'pino'

// The log lines of one turn of the event loop are written in one call: a call for each made a warm document's line cost 8 µs instead of 5
// (BENCH_ONLY=zarr.json npm run bench hot, with VZ_LOG_LEVEL=info). pino's asynchronous destination loses lines when the process ends at once.

/** A pipe that several processes write to takes so much at once undivided (POSIX's PIPE_BUF). */
const MAX_WRITE_BYTES = 4096

/** Standard output, in few writes. */
export class BatchedOutput implements DestinationStream {
  #lines = ''
  #output: DestinationStream | undefined

  write(line: string): void {
    this.#output ??= this.#open()
    if (this.#lines.length + line.length > MAX_WRITE_BYTES) this.#flush()
    if (this.#lines === '') setImmediate(this.#flush)
    this.#lines += line
  }

  readonly #flush = () => {
    if (this.#lines !== '') this.#output?.write(this.#lines)
    this.#lines = ''
  }

  #open(): DestinationStream {
    // A process that logs and ends at once writes its last line, too.
    process.once('exit', this.#flush)
    return pino.destination(1)
  }
}
