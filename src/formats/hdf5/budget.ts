import { overBudget } from '../../errors.ts'

/**
 * What parsing one file may look at, in bytes of metadata. Structures of a sound file do not lie on each other, so that this is
 * more than any has; in a hostile one, few bytes may be named a million times, at no cost to the source's own budget.
 */
const MOST_BYTES = 134_217_728

/** Counts the bytes of metadata that have been looked at, each time they are. */
export class Budget {
  #left = MOST_BYTES

  spend(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw overBudget(`the file's metadata takes more than ${MOST_BYTES} bytes`)
  }
}
