import type { Running } from '../processes.ts'
import type { Measurement, Reader, UserOrigin } from './tools.ts'

/** What issue and documentation promise of a row; the counts are exact, the time is of a quiet machine. */
export interface Goal {
  readonly requests?: number
  readonly rounds?: number
  readonly seconds?: number
  readonly cpuSeconds?: number
}

/** One line of the table. */
export interface Line {
  readonly work: string
  readonly who: string
  readonly measurements: readonly Measurement[]
  /** The measurements are of different steps, one after another; otherwise they repeat one. */
  readonly areSteps?: boolean
  readonly goal?: Goal
  /** Anything else that was measured. */
  readonly note?: string
}

/** Processes that a row measures; a row that needs a service of its own starts one. */
export interface RowContext {
  readonly origin: UserOrigin
  readonly service: Running
  /** One that has read nothing yet. */
  reader(): Promise<Reader>
  startService(settings?: Readonly<Record<string, string>>): Promise<Running>
  /** A name below the origin that nobody has asked for. */
  freshUrl(file: string): string
}

/** Some work that users wait for; its lines are printed as they come. */
export interface Row {
  readonly name: string
  /** Files of `files.py` that it reads. */
  readonly files: readonly string[]
  measure(context: RowContext): AsyncIterable<Line>
}
