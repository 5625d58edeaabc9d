import { isBroken } from '../../codecs/kernels/wasm-decoder.ts'
import { encode, peel } from '../../codecs/pipeline.ts'
import { MAX_DECODED_BYTES } from '../../compose/limits.ts'
import { runProgram } from '../../compose/run-program.ts'
import { malformed, VirtualZarrError } from '../../errors.ts'
import type { ComposeTask, PeelTask, ReadAgain, RecodeTask } from '../delivery.ts'

/** Makes wire bytes; the same stored bytes always give the same wire bytes. */
export async function recode(task: RecodeTask, read?: ReadAgain): Promise<Uint8Array> {
  try {
    return task.kind === 'peel' ? peeled(task) : await composed(task, read)
  } catch (cause) {
    // What breaks a decoder ends its thread: what is refused then is the chunk, by whoever waits for the thread.
    if (cause instanceof VirtualZarrError || isBroken(cause)) throw cause
    // Hostile bytes may lead a decoder anywhere; they never are the server's failure.
    throw malformed(`a chunk can't be decoded: ${cause instanceof Error ? cause.message : String(cause)}`, {}, cause)
  }
}

function peeled({ stored, coding, kept, length }: PeelTask): Uint8Array {
  const bytes = peel(coding.pipeline(), stored, kept, length ?? MAX_DECODED_BYTES)
  if (length === undefined || bytes.length === length) return bytes
  throw malformed(`a chunk decodes to ${bytes.length} bytes, expected ${length}`)
}

async function composed({ program, chunks, target }: ComposeTask, read: ReadAgain | undefined): Promise<Uint8Array> {
  return encode(target.pipeline(), await runProgram(program, chunks, read))
}
