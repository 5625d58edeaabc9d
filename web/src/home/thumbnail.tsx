import { useEffect, useRef, useState } from 'preact/hooks'

/** A small picture of a store, drawn when it comes into view, from the smallest level that the store has. */
export function Thumbnail({ store }: { readonly store: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [picture, setPicture] = useState(() => remembered(store))
  useEffect(() => {
    if (picture !== undefined || place.current === null) return
    const leaving = new AbortController()
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      void draw(store, leaving.signal).then((url) => !leaving.signal.aborted && setPicture(url))
    })
    seen.observe(place.current)
    return () => {
      seen.disconnect()
      leaving.abort()
    }
  }, [store, picture])
  return (
    <span class="thumb" ref={place}>
      {picture !== undefined && picture !== '' && <img src={picture} alt="" width="320" height="200" />}
    </span>
  )
}

/** A picture as a URL, remembered for this visit; empty where there is none to draw. */
async function draw(store: string, signal: AbortSignal): Promise<string> {
  try {
    const { thumbnail } = await import('../plot/thumbnail.ts')
    const url = await thumbnail(store, signal)
    sessionStorage.setItem(keyOf(store), url)
    return url
  } catch {
    // A card without a picture is still a card: what is wrong is told when it is opened.
    return ''
  }
}

const keyOf = (store: string) => `thumbnail ${store}`

function remembered(store: string): string | undefined {
  return sessionStorage.getItem(keyOf(store)) ?? undefined
}
