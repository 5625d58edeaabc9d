import type { Format } from '../formats/format.ts'

/** What is served, and how. */
export interface ServeOptions {
  /** Folders and files that are listed; without them a catalog of small examples is. */
  readonly paths?: readonly string[] | undefined
  /** Settings by the names that the command's flags have: `{ port: 0, allow: 'http://localhost:8000/' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined
  /** Formats that are asked before those that are built in; their names begin with `x-`. */
  readonly formats?: readonly Format[] | undefined
}

/** A service that listens. */
export interface RunningService {
  /** Without a slash at its end. */
  readonly url: string
  /** Answers what has been asked, and stops. */
  close(): Promise<void>
}
