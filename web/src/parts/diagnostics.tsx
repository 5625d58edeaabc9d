import type { Diagnostic } from '../service/types.ts'

interface DiagnosticsProps {
  readonly warnings: readonly Diagnostic[]
  /** Only those of this node and what is below it. */
  readonly below: string
}

const MOST_SHOWN = 100

/** What was dropped, renamed, guessed or refused on the way, in words. */
export function Diagnostics({ warnings, below }: DiagnosticsProps) {
  const own = warnings.filter(({ path = '' }) => below === '' || path === below || path.startsWith(`${below}/`))
  if (own.length === 0) return null
  return (
    <section aria-labelledby="noticed">
      <h2 id="noticed">
        Noticed <span class="count">{own.length}</span>
      </h2>
      <ul class="diagnostics">
        {own.slice(0, MOST_SHOWN).map(({ code, message, path }) => (
          <li key={`${code} ${path} ${message}`}>
            {message}
            <span class="quiet">
              {path !== undefined && path !== below && <code>{path}</code>} {code}
            </span>
          </li>
        ))}
      </ul>
      {own.length > MOST_SHOWN && <p class="quiet">and {own.length - MOST_SHOWN} more, which /inspect lists.</p>}
    </section>
  )
}
