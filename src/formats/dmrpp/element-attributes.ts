/** Attributes of an element by their local names: what prefix a document gives the namespace of DMR++ does not matter. */
export interface ElementAttributes {
  get(name: string): string | undefined
  has(name: string): boolean
}

/** Looks them up, and decodes them, where the parser left them: there may be a million elements. */
export function elementAttributes(
  raw: Readonly<Record<string, string>>,
  decoded: (text: string) => string,
): ElementAttributes {
  let prefixed: Map<string, string> | undefined
  for (const name in raw) {
    const colon = name.indexOf(':')
    if (colon === -1) continue
    prefixed ??= new Map()
    prefixed.set(name.slice(colon + 1), raw[name] ?? '')
  }
  const find = (name: string) => raw[name] ?? prefixed?.get(name)
  const get = (name: string) => {
    const value = find(name)
    return value === undefined ? undefined : decoded(value)
  }
  return { get, has: (name) => find(name) !== undefined }
}
