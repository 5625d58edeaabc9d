import type { Attributes as AttributeMap, Json } from '../service/types.ts'

/** Attributes of more lines than this are folded each for itself. */
const LONG = 160

/** What the file says of a node, folded. All of it is text of a stranger, and shown as text. */
export function Attributes({ attributes }: { readonly attributes: AttributeMap }) {
  const all = Object.entries(attributes)
  if (all.length === 0) return null
  return (
    <details class="fold">
      <summary>
        Attributes <span class="count">{all.length}</span>
      </summary>
      <dl class="attributes">
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Value({ value }: { readonly value: Json }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= LONG) return <>{text}</>
  return (
    <details>
      <summary>{text.slice(0, LONG)}…</summary>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</pre>
    </details>
  )
}
