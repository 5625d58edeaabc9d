/** The module of the landing page that writes snippets for map viewers: it is plain JavaScript, as browsers load it. */
interface MapSnippets {
  mapSnippets(url: string, metadata: unknown): readonly (readonly [client: string, code: string])[]
  missingFragment(variable: string, array: unknown): string | undefined
}

const url = new URL('../../routes/static/map-snippets.js', import.meta.url)

export const { mapSnippets, missingFragment } = (await import(url.href)) as MapSnippets
