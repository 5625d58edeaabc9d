import { useId, useState } from 'preact/hooks'
import { apiKey, keepKey } from '../service/ask.ts'

/** Takes the key that the service asks for; where there was one, the service did not take that. */
export function KeyForm() {
  const [text, setText] = useState('')
  const field = useId()
  const submit = (event: Event) => {
    event.preventDefault()
    keepKey(text.trim())
  }
  return (
    <form class="key" onSubmit={submit}>
      {apiKey() !== undefined && <p>The key that was given here is not one of this service’s.</p>}
      <label for={field}>API key</label>
      <div class="open">
        <input
          id={field}
          type="password"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          // What a header may hold
          pattern="\s*[!-~]+\s*"
          title="Letters, digits and signs, without blanks"
          autocomplete="off"
          spellcheck={false}
          required
        />
        <button type="submit" class="primary">
          Use it
        </button>
      </div>
      <p class="quiet">It is kept in this tab until that is closed, and sent to this service only, in a header.</p>
    </form>
  )
}
