import { useState } from 'preact/hooks'
import { SERVICE } from '../service/place.ts'
import { addressOfText, segmentOf } from '../state/address.ts'
import type { ChangeView } from '../state/use-view.ts'

/** Takes the source that the open one is compared with. */
export function CompareForm({ change }: { readonly change: ChangeView }) {
  const [text, setText] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    const address = addressOfText(text, SERVICE)
    if (address !== undefined) change({ versus: segmentOf(address) })
  }
  return (
    <form class="open" onSubmit={submit}>
      <label class="hidden" for="versus">
        URL, store or catalog id to compare with
      </label>
      <input
        id="versus"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        placeholder="URL, store or catalog id"
        autocomplete="off"
        spellcheck={false}
        required
      />
      <button type="submit">Compare</button>
    </form>
  )
}
