import { existsSync, readFileSync } from 'node:fs'
import { importsOf } from '../../scripts/check-imports.ts'

/** An `await` outside of functions: those are indented, or on the line of a condition. */
const AWAIT =
  /^(?:(?:export )?(?:const|let) .*= |if \(import\.meta\.main\) |else )?await |^if \(import\.meta\.main\) \{\n(?: .*\n)*? .*\bawait /m

/**
 * Whether a module, or one that it imports, waits for something when it is loaded: then it can't be loaded at once, and the tests that it
 * has are not known to be a suite's. The sources never do.
 */
export function waitsWhenLoaded(file: URL, known = new Map<string, boolean>()): boolean {
  const answered = known.get(file.href)
  if (answered !== undefined) return answered
  // A circle waits where another of its modules does.
  known.set(file.href, false)
  const text = readFileSync(file, 'utf8')
  const modules = importsOf('', text).filter(
    ({ specifier, typeOnly }) => !typeOnly && /^\.\.?\/.*\.ts$/.test(specifier),
  )
  const waits =
    AWAIT.test(text) ||
    modules
      .map(({ specifier }) => new URL(specifier, file))
      .some((module) => !module.pathname.includes('/src/') && existsSync(module) && waitsWhenLoaded(module, known))
  known.set(file.href, waits)
  return waits
}
