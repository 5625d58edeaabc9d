import { unavailable } from '../http/failures.ts'
import type { ListingPage } from './cloud.ts'
import { escaped, isName, keyOf } from './location.ts'
import { childrenIn, parseXml, textIn, type XmlElement } from './xml.ts'

/** The query that asks for a page of ListObjectsV2; `more` are parameters besides, where they have a value. */
export function s3ListQuery(folder: URL, more: Readonly<Record<string, string | undefined>>): string {
  const texts = Object.entries({ ...more, delimiter: '/', 'list-type': '2', prefix: keyOf(folder) })
  const pairs = texts.flatMap(([name, text]) => (text === undefined ? [] : [`${name}=${escaped(text)}`]))
  return `?${pairs.sort().join('&')}`
}

/** A page of ListObjectsV2: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export function parseS3Page(text: string, folder: URL): ListingPage {
  const root = parseXml(text)
  const isTruncated = textIn(root, 'IsTruncated')?.trim() === 'true'
  const token = isTruncated ? textIn(root, 'NextContinuationToken') : undefined
  // A list that goes on nobody knows where would be a folder with members missing.
  if (root?.name !== 'ListBucketResult' || (isTruncated && token === undefined)) {
    throw unavailable('the store answered no page of a listing', folder.href)
  }
  const isEncoded = textIn(root, 'EncodingType')?.trim() === 'url'
  const prefix = keyOf(folder)
  const keysIn = (elements: readonly XmlElement[], name: string) =>
    elements.map((element) => keyText(textIn(element, name) ?? '', isEncoded, folder))
  const keys = [...keysIn(childrenIn(root, 'Contents'), 'Key'), ...keysIn(childrenIn(root, 'CommonPrefixes'), 'Prefix')]
  const names = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  return { names: names.filter(isName), token }
}

/** As forms are encoded: a plus is a blank. */
function keyText(text: string, isEncoded: boolean, folder: URL): string {
  if (!isEncoded) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw unavailable('the store lists a key that is not UTF-8', folder.href, cause)
  }
}
