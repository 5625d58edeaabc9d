/** What was found of one thing: it works, it may not do what is wanted, it won't work, or it is not in use. */
export type Check = {
  readonly what: string
  readonly state: 'ok' | 'warning' | 'failed' | 'off'
  readonly told: string
}

/** What an error says, in one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
