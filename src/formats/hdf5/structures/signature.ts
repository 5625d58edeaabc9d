// HDF5 File Format Specification, section II.A: where the superblock may begin, behind a user block of any content.
import type { ReadOptions, Source } from '../../../source/source.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a)
export const SIGNATURE_BYTES = SIGNATURE.length
const FIRST_BLOCK = 512
/** The library looks up to the file's end, a power of two at a time; a user block of more than this is no one's. */
const LAST_BLOCK = 2 ** 30
/** Looked at together, one group after the other: the second is in what opening brought along. */
const GROUPS = [
  [0, 0],
  [FIRST_BLOCK, 2 ** 15],
  [2 ** 16, 2 ** 20],
  [2 ** 21, LAST_BLOCK],
] as const

/** Whether the signature is at one of the places that a head of a file has. */
export function hasSignature(head: Uint8Array): boolean {
  return places(0, LAST_BLOCK, head.length).some((at) => isSignature(head.subarray(at)))
}

/** Where the superblock begins, and its first bytes (as many as `length` where the file has them); undefined where there is none. */
export async function findSuperblock(
  source: Source,
  length: number,
  options: ReadOptions,
): Promise<{ readonly at: number; readonly bytes: Uint8Array } | undefined> {
  for (const [from, to] of GROUPS) {
    const found = await Promise.all(
      places(from, to, source.size).map(async (at) => {
        const bytes = await source.read({ offset: at, length: Math.min(length, source.size - at) }, options)
        return { at, bytes }
      }),
    )
    const first = found.find(({ bytes }) => isSignature(bytes))
    if (first !== undefined) return first
  }
  return undefined
}

/** Whether there is one behind what was looked at when the file was opened. */
export async function hasLateSignature(source: Source, options: ReadOptions): Promise<boolean> {
  return (await findSuperblock(source, SIGNATURE_BYTES, options)) !== undefined
}

/** 0, 512, 1024, ...: those from `from` to `to` that have room for a signature. */
function places(from: number, to: number, size: number): number[] {
  const found: number[] = []
  for (let at = from; at <= to && at + SIGNATURE_BYTES <= size; at = at === 0 ? FIRST_BLOCK : at * 2) found.push(at)
  return found
}

function isSignature(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte)
}
