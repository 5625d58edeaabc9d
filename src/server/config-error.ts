/** A setting that is missing, misspelled or out of range; the message names the key. */
export class ConfigError extends Error {
  readonly key: string
  readonly reason: string

  constructor(key: string, reason: string) {
    super(`${key}: ${reason}`)
    this.name = 'ConfigError'
    this.key = key
    this.reason = reason
  }
}
