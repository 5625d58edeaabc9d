import { useState } from 'preact/hooks'
import { SERVICE } from '../service/place.ts'
import { addressOfText } from '../state/address.ts'
import type { ChangeView } from '../state/use-view.ts'
import { START } from '../state/view.ts'

interface OpenFormProps {
  readonly change: ChangeView
  /** What is open: shown in the field. */
  readonly opened?: string
}

/** The one field: it takes the URL of any source, or of a store of this service. */
export function OpenForm({ change, opened = '' }: OpenFormProps) {
  const [text, setText] = useState(opened)
  const submit = (event: Event) => {
    event.preventDefault()
    const address = addressOfText(text, SERVICE)
    if (address !== undefined) change({ ...START, address })
  }
  return (
    <search class="open-search">
      <form class="open" method="get" action="./" onSubmit={submit}>
        <label class="hidden" for="source">
          URL of a file or store
        </label>
        <input
          id="source"
          name="source"
          type="text"
          inputmode="url"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          placeholder="https://example.org/data.nc"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </search>
  )
}
