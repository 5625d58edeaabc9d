/** Text that is HTML already; only `html` makes it. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Html[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

function markupOf(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** A template whose every inserted text is escaped, so that nothing a file contains becomes markup. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts.map((text, at) => {
    const part = parts[at]
    return part === undefined ? text : text + markupOf(part)
  })
  return { markup: markup.join('') }
}
