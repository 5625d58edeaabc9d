import { useCallback, useEffect, useState } from 'preact/hooks'
import { queryOfView, START, type View, viewOfQuery } from './view.ts'

/** Changes parts of the view; a step that the browser's "back" undoes, unless it is a mere adjustment. */
export type ChangeView = (change: Partial<View>, how?: 'step' | 'adjust') => void

/** The view that the page's URL says, and how it is changed. */
export function useView(): [View, ChangeView] {
  const [view, setView] = useState(() => viewOfQuery(location.search))
  useEffect(() => {
    const read = () => setView(viewOfQuery(location.search))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
  const change = useCallback<ChangeView>((part, how = 'step') => {
    setView((before) => {
      const next = { ...before, ...part }
      const url = `${location.pathname}${queryOfView(next)}`
      if (how === 'step') history.pushState(null, '', url)
      else history.replaceState(null, '', url)
      return next
    })
  }, [])
  return [view, change]
}

/** A link to a view, which an ordinary click follows without loading the page again. */
export function linkTo(view: Partial<View>, change: ChangeView) {
  const next = { ...START, ...view }
  return {
    href: `./${queryOfView(next)}`,
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      change(next)
    },
  }
}
