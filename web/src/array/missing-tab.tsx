import type { ArrayInfo, Json } from '../service/types.ts'

interface MissingTabProps {
  readonly array: ArrayInfo
  readonly format: string
}

/** What reads as missing: two different things, which are often mistaken for each other. */
export function MissingTab({ array }: MissingTabProps) {
  const { fill_value: fill, fill_value_from: from, sentinels, attributes } = array
  const isPacked = attributes['scale_factor'] !== undefined || attributes['add_offset'] !== undefined
  return (
    <>
      <dl class="pairs">
        <dt>Unwritten chunks read as</dt>
        <dd>
          <code>{valueText(fill)}</code> <span class="quiet">from: {from}</span>
        </dd>
        <dt>Missing points are marked by</dt>
        <dd>
          {sentinels.length === 0 && 'nothing: every value counts.'}
          {sentinels.map(({ value, from: origin }) => (
            <div key={`${value} ${origin}`}>
              <code>{value}</code> <span class="quiet">from: {origin}</span>
            </div>
          ))}
        </dd>
        {isPacked && (
          <>
            <dt>Values are packed</dt>
            <dd>
              stored × <code>{valueText(attributes['scale_factor'] ?? 1)}</code> +{' '}
              <code>{valueText(attributes['add_offset'] ?? 0)}</code>; the marks above are of stored values
            </dd>
          </>
        )}
      </dl>
      <h2>What clients make of it</h2>
      <dl class="pairs clients">
        {clients(array, isPacked).map(([client, text]) => (
          <div key={client}>
            <dt>{client}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function clients(array: ArrayInfo, isPacked: boolean): readonly (readonly [client: string, text: string])[] {
  const isMarked = array.sentinels.length > 0
  const isNumber = typeof array.data_type === 'string' && array.data_type !== 'string'
  const fillIsMissing = array.sentinels.some(({ value }) => value === valueText(array.fill_value))
  const unwritten = fillIsMissing
    ? 'Unwritten chunks come out missing, since their fill value is such a mark.'
    : `Unwritten chunks come out as ${valueText(array.fill_value)}, a value like any other.`
  return [
    [
      'xarray',
      isMarked && isNumber
        ? `Makes NaN of marked points${isPacked ? ', and unpacks the others' : ''}; integers become floats. ${unwritten}`
        : `Masks nothing. ${unwritten}`,
    ],
    [
      'zarr-python, tensorstore, zarrita',
      `Give stored values as they are${isMarked ? ', marks included' : ''}${isPacked ? ', packed' : ''}. Unwritten chunks are ${valueText(array.fill_value)}.`,
    ],
    [
      'OpenLayers, zarr-layer',
      isMarked
        ? 'Know no mark but the fill value: give them the store with ;missing=fill, which makes the mark the fill value wherever that changes no value.'
        : 'Draw every value.',
    ],
    [
      'this page',
      `Draws marked points${fillIsMissing ? ' and unwritten chunks' : ''} transparent${isPacked ? ', and shows unpacked values' : ''}.`,
    ],
  ]
}

function valueText(value: Json): string {
  return typeof value === 'string' ? (value === '' ? '“”' : value) : JSON.stringify(value)
}
