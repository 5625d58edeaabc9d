import type { KeptSignature } from './signatures.ts'

/** Where an object is asked for, and by what signature it was last. */
export interface Target {
  readonly url: URL
  /** What its URL was made of besides the location. */
  readonly variant: string
  signature: KeptSignature | undefined
}

/** By the URL objects of locations, which live as long as who reads the object: requests for its ranges cost next to nothing. */
export class Targets {
  readonly #known = new WeakMap<URL, Target>()

  /** The URL of an object, made once. */
  urlOf(location: URL, variant: string, make: () => URL): URL {
    const known = this.#known.get(location)
    if (known?.variant === variant) return known.url
    const url = make()
    this.#known.set(location, { url, variant, signature: undefined })
    return url
  }

  /** What is known of a location, when it was its object that was asked for. */
  of(location: URL, url: URL): Target | undefined {
    const known = this.#known.get(location)
    return known?.url === url ? known : undefined
  }
}
