import { useEffect, useState } from 'preact/hooks'
import { COLOUR_NAMES, classColour, cssOf, DEFAULT_COLOURS, type Paint } from './colours.ts'
import { type Meaning, numberText } from './meaning.ts'
import type { Statistics } from './statistics.ts'

interface ColourControlsProps {
  readonly statistics: Statistics | undefined
  readonly range: readonly [number, number]
  readonly meaning: Meaning
  readonly paint: Paint
  readonly colours: string | undefined
  readonly isMap: boolean
  readonly opacity: number
  readonly onOpacity: (opacity: number) => void
  readonly onColours: (colours: string) => void
  readonly onRange: (range: readonly [number, number] | undefined) => void
}

/** The scale, how often which values are there, and how the colours are chosen. */
export function ColourControls(props: ColourControlsProps) {
  const { statistics, range, meaning, colours, isMap, opacity, onOpacity, onColours, onRange } = props
  if (meaning.flags.size > 0) return <Classes flags={meaning.flags} />
  return (
    <div class="colours">
      <Histogram {...props} />
      <div class="colour-choices">
        from <Limit name="Lowest value" value={range[0]} onValue={(low) => onRange([low, range[1]])} />
        to <Limit name="Highest value" value={range[1]} onValue={(high) => onRange([range[0], high])} />
        <span class="units">{meaning.units}</span>
        <button type="button" class="plain" onClick={() => onRange(undefined)}>
          2–98 %
        </button>
        <button
          type="button"
          class="plain"
          disabled={statistics === undefined}
          onClick={() => statistics !== undefined && onRange([statistics.least, statistics.most])}
        >
          all
        </button>
        <label>
          colours{' '}
          <select value={colours ?? DEFAULT_COLOURS} onChange={(event) => onColours(event.currentTarget.value)}>
            {COLOUR_NAMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {isMap && (
          <label>
            opacity{' '}
            <input
              type="range"
              class="short"
              min={0}
              max={1}
              step={0.05}
              value={opacity}
              onInput={(event) => onOpacity(Number(event.currentTarget.value))}
            />
          </label>
        )}
      </div>
    </div>
  )
}

interface LimitProps {
  readonly name: string
  readonly value: number
  readonly onValue: (value: number) => void
}

/** A number that counts when it is left or Enter is pressed. */
function Limit({ name, value, onValue }: LimitProps) {
  const [text, setText] = useState('')
  useEffect(() => setText(numberText(value)), [value])
  const take = () => {
    const number = Number(text)
    if (text.trim() !== '' && Number.isFinite(number)) onValue(number)
    else setText(numberText(value))
  }
  return (
    <input
      class="limit"
      inputmode="decimal"
      aria-label={name}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}

function Histogram({ statistics, range, paint, meaning }: ColourControlsProps) {
  const bins = statistics?.bins ?? []
  const highest = Math.max(1, ...bins)
  const { least = 0, most = 1 } = statistics ?? {}
  const part = (value: number) => (range[1] > range[0] ? (value - range[0]) / (range[1] - range[0]) : 0.5)
  const words =
    statistics === undefined
      ? ''
      : statistics.count === 0
        ? 'Every point shown is missing.'
        : `From ${numberText(least)} to ${numberText(most)}, mean ${numberText(statistics.mean)} ${meaning.units}; ${statistics.missing.toLocaleString()} of ${(statistics.count + statistics.missing).toLocaleString()} points shown are missing`
  return (
    <figure class="histogram">
      <svg viewBox="0 0 480 48" preserveAspectRatio="none" role="img" aria-label={`How often values occur. ${words}`}>
        {bins.map((count, at) => (
          <rect
            key={at}
            x={at * 10}
            width={9}
            y={48 - (46 * count) / highest - (count > 0 ? 2 : 0)}
            height={(46 * count) / highest + (count > 0 ? 2 : 0)}
            fill={cssOf(paint.table, part(least + ((at + 0.5) / bins.length) * (most - least)))}
          />
        ))}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  )
}

function Classes({ flags }: { readonly flags: ReadonlyMap<number, string> }) {
  return (
    <ul class="classes" aria-label="Classes">
      {[...flags].map(([value, name], place) => (
        <li key={value}>
          <span class="swatch" style={{ background: classColour(place) }} /> {name.replaceAll('_', ' ')}{' '}
          <span class="quiet">{value}</span>
        </li>
      ))}
    </ul>
  )
}
