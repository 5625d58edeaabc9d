/** A setting that is missing, misspelled or out of range; the message names the key. */
export class ConfigError extends Error {
  constructor(key: string, message: string) {
    super(`${key}: ${message}`)
    this.name = 'ConfigError'
  }
}
