/** A node of well-known text: a keyword and its members; strings are quoted, numbers and nested text are not. */
export function node(keyword: string, ...members: readonly (string | number | Wkt)[]): Wkt {
  return { text: `${keyword}[${members.map(spelled).join(',')}]` }
}

/** Well-known text that is complete in itself. */
export interface Wkt {
  readonly text: string
}

function spelled(member: string | number | Wkt): string {
  if (typeof member === 'number') return String(member)
  return typeof member === 'string' ? `"${member.replaceAll('"', "'")}"` : member.text
}
