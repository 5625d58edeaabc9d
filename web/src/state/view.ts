import { type Address, addressOfSegment } from './address.ts'

/** What of a node is shown. */
export const TABS = ['data', 'storage', 'missing', 'code'] as const
export type Tab = (typeof TABS)[number]

/** Everything that the page's own URL says: a view that can be sent to a colleague. */
export interface View {
  readonly address: Address | undefined
  /** The node; undefined for the one that the page chooses. */
  readonly path: string | undefined
  readonly tab: Tab
  /** Indexes along the dimensions that are not drawn. */
  readonly at: Readonly<Record<string, number>>
  /** The dimensions of the picture, down and across. */
  readonly axes: readonly [string, string] | undefined
  readonly isMap: boolean | undefined
  readonly colours: string | undefined
  readonly range: readonly [number, number] | undefined
  /** Another source, whose differences are shown. */
  readonly versus: string | undefined
}

export const START: View = {
  address: undefined,
  path: undefined,
  tab: 'data',
  at: {},
  axes: undefined,
  isMap: undefined,
  colours: undefined,
  range: undefined,
  versus: undefined,
}

/** Reads the query of the page's URL. Whatever it says wrongly is as if it were not said. */
export function viewOfQuery(query: string): View {
  const given = new URLSearchParams(query)
  const source = given.get('source')
  const store = given.get('store')
  const named = store === null ? undefined : addressOfSegment(store)
  const address = source ? { source, options: given.get('options') ?? '' } : named
  return {
    address,
    path: given.get('path') ?? undefined,
    tab: TABS.find((tab) => tab === given.get('tab')) ?? 'data',
    at: indexesOf(given.get('at')),
    axes: pairOf(given.getAll('axis')),
    isMap: given.has('map') ? given.get('map') === 'yes' : undefined,
    colours: given.get('colours') ?? undefined,
    range: numbersOf(given.get('range')),
    versus: given.get('versus') ?? undefined,
  }
}

/** The query that says this view; what is not chosen is not said. */
export function queryOfView(view: View): string {
  const said = new URLSearchParams()
  if (view.address !== undefined) {
    said.set('source', view.address.source)
    if (view.address.options !== '') said.set('options', view.address.options)
  }
  if (view.path !== undefined) said.set('path', view.path)
  if (view.tab !== 'data') said.set('tab', view.tab)
  const at = Object.entries(view.at).map(([name, index]) => `${encodeURIComponent(name)}:${index}`)
  if (at.length > 0) said.set('at', at.join(','))
  for (const axis of view.axes ?? []) said.append('axis', axis)
  if (view.isMap !== undefined) said.set('map', view.isMap ? 'yes' : 'no')
  if (view.colours !== undefined) said.set('colours', view.colours)
  if (view.range !== undefined) said.set('range', view.range.join(','))
  if (view.versus !== undefined) said.set('versus', view.versus)
  const text = said.toString()
  return text === '' ? '' : `?${text}`
}

function indexesOf(text: string | null): Readonly<Record<string, number>> {
  const pairs = (text ?? '').split(',').flatMap((pair) => {
    const [, name, index] = /^(.+):(\d{1,15})$/.exec(pair) ?? []
    return name === undefined || index === undefined ? [] : [[plain(name), Number(index)] as const]
  })
  return Object.fromEntries(pairs)
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function pairOf(texts: readonly string[]): readonly [string, string] | undefined {
  const [down, across] = texts
  return down === undefined || across === undefined ? undefined : [down, across]
}

function numbersOf(text: string | null): readonly [number, number] | undefined {
  const [low = Number.NaN, high = Number.NaN] = (text ?? '').split(',').map(Number)
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : undefined
}
