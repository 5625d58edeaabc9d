import { useRef, useState } from 'preact/hooks'

/** Code that is copied by a button. */
export function Snippet({ name, code }: { readonly name: string; readonly code: string }) {
  const text = useRef<HTMLElement>(null)
  const [said, setSaid] = useState('Copy')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      setSaid('Copied')
    } catch {
      // Pages without TLS have no clipboard: the text is marked for the keyboard.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current)
      setSaid('Press Ctrl+C')
    }
    setTimeout(() => setSaid('Copy'), 1600)
  }
  return (
    <figure class="snippet">
      <figcaption>
        {name}
        <button type="button" class="plain" onClick={copy} aria-label={`${said} the ${name} snippet`}>
          {said}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code ref={text}>{code}</code>
      </pre>
    </figure>
  )
}
