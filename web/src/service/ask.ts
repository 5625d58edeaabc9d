const PLACE = 'api key'
/** Told to the page when the key is another one. */
const CHANGED = 'api-key'

/** The key that a person gave for this visit. It stays in this tab, and is sent to the service alone, in a header. */
export function apiKey(): string | undefined {
  return sessionStorage.getItem(PLACE) ?? undefined
}

/** Keeps a key for this visit, or forgets it; whatever was asked is asked again. */
export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(PLACE)
  else sessionStorage.setItem(PLACE, key)
  dispatchEvent(new Event(CHANGED))
}

/** Calls back when the key is another one; returns how to stop that. */
export function onKey(changed: () => void): () => void {
  addEventListener(CHANGED, changed)
  return () => removeEventListener(CHANGED, changed)
}

/** Asks the service, with the key where there is one. */
export async function ask(target: URL | string | Request, settings: RequestInit = {}): Promise<Response> {
  const request = new Request(target, settings)
  const key = apiKey()
  if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`)
  return await fetch(request)
}
