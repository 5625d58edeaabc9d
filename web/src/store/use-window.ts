import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'

/** Rows that are drawn beyond what is seen. */
const MARGIN = 8

/** Which rows of a scrolled list are in view, and how one of them is brought there. */
export function useWindow(list: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [{ top, height }, setSeen] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const look = () => setSeen({ top: element.scrollTop, height: element.clientHeight })
    look()
    element.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [list])
  const reveal = useCallback(
    (row: number) => {
      const element = list.current
      if (element === null) return
      const [above, below] = [row * rowHeight, (row + 1) * rowHeight - element.clientHeight]
      if (element.scrollTop > above) element.scrollTop = above
      else if (element.scrollTop < below) element.scrollTop = below
    },
    [list, rowHeight],
  )
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN)
  return { first, last: Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN), reveal }
}
