import { malformed, overLimit, VirtualZarrError } from '../../errors.ts'
import { packageFile } from './package-file.ts'

/** What of WebAssembly is used; neither Node's types nor those of ECMAScript have it. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<object>
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  readonly RuntimeError: new (message: string, options: ErrorOptions) => Error
}

declare const WebAssembly: WebAssemblyApi

/** A WebAssembly file of a package, compiled. */
export async function compiledFile(path: string): Promise<object> {
  return await WebAssembly.compile(await packageFile(path))
}

/** A memory of its own for a module. */
export function instanceOf(module: object, imports: object): object {
  return new WebAssembly.Instance(module, imports).exports
}

/** Whether an error leaves the memory of a decoder in an unknown state. */
export function isBroken(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError
}

/**
 * Calls a decoder that keeps its memory from call to call. Whatever it throws leaves that memory in an unknown state: the
 * error that it becomes ends the thread (delivery/recoding/recode.ts), and its chunk is refused as malformed. Our own errors say
 * that the decoder refused its input in good order.
 */
export function decodeOrEnd<Value>(what: string, decode: () => Value): Value {
  try {
    return decode()
  } catch (cause) {
    if (cause instanceof VirtualZarrError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new WebAssembly.RuntimeError(`${what} can't be decoded: ${message}`, { cause })
  }
}

/** Decoders take several times as much memory as their picture, of 4 GB at most. */
const MOST_SAMPLES = 2 ** 27

/** A picture has the columns of its block, and at least its rows: a last strip may be stored whole. */
export function requireSize(
  what: string,
  { width, height }: { readonly width: number; readonly height: number },
  shape: readonly number[],
): void {
  const [rows = 1, columns = 1, samples = 1] = shape
  if (width !== columns || height < rows || height > 2 * rows + 65_536) {
    throw malformed(`${what} has ${height} rows of ${width}, expected ${rows} rows of ${columns}`)
  }
  if (width * height * samples > MOST_SAMPLES) {
    throw overLimit(`${what} has ${width * height * samples} samples, at most ${MOST_SAMPLES} are decoded`)
  }
}
