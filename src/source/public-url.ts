/**
 * A URL as it may be shown in errors, logs and pages: without userinfo, fragment and the values of its query, since
 * presigned URLs carry their secret there.
 */
export function publicUrl(url: string): string {
  if (!URL.canParse(url)) return (url.split(/[?#]/, 1)[0] ?? '').replace(/\/\/[^/]*@/, '//')
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.hash = ''
  // A parameter without "=" may be a token itself; only names that introduce a value are shown.
  const names = shown.search
    .slice(1)
    .split('&')
    .filter((pair) => pair.includes('='))
    .map((pair) => (isVersion(shown, pair) ? pair : `${pair.slice(0, pair.indexOf('='))}=`))
  shown.search = names.join('&')
  return shown.href
}

/** Which version of an object a location names: no secret, and what tells its readers apart. */
function isVersion(url: URL, pair: string): boolean {
  return (
    (url.protocol === 's3:' && pair.startsWith('versionId=')) ||
    (url.protocol === 'gs:' && pair.startsWith('generation=')) ||
    (url.protocol === 'az:' && pair.startsWith('versionid='))
  )
}
