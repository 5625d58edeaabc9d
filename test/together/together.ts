import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { filesOf, type Group } from './processes.ts'

/** Runs the test files of a group in this process, each as a suite with hooks of its own. */
export function together(group: Group): void {
  togetherFiles(filesOf(group))
}

/** The same for these files, by their paths from `test`. */
export function togetherFiles(files: readonly string[]): void {
  // An import would go on at a later time, when it is no longer known to which suite its tests belong.
  const load = createRequire(import.meta.url)
  for (const file of files) {
    describe(file, () => {
      try {
        load(`../${file}`)
      } catch (error) {
        test('the file loads', () => {
          throw error
        })
      }
    })
  }
}
