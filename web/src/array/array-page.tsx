import { useCallback, useState } from 'preact/hooks'
import { Attributes } from '../parts/attributes.tsx'
import { Diagnostics } from '../parts/diagnostics.tsx'
import type { ArrayInfo } from '../service/types.ts'
import { CodeTab } from '../snippets/code-tab.tsx'
import { TABS, type Tab } from '../state/view.ts'
import type { NodePageProps } from '../store/node-page.tsx'
import { nameOf } from '../store/nodes.ts'
import { aboutText, shapeText, typeText } from '../store/words.ts'
import { DataTab } from './data-tab.tsx'
import { MissingTab } from './missing-tab.tsx'
import { StorageTab } from './storage-tab.tsx'

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  data: 'Data',
  storage: 'Storage',
  missing: 'Missing values',
  code: 'Code',
}

/** One array: its values, how it is stored, what is missing in it, how it is read elsewhere. */
export function ArrayPage(props: NodePageProps & { readonly array: ArrayInfo }) {
  const { path, inspection, view, change, array } = props
  const about = aboutText(array)
  const [tab, setTab] = useState(view.tab)
  // What stands below the values comes when these have their room: it would move otherwise.
  const [isShown, setShown] = useState(tab !== 'data')
  const onShown = useCallback(() => setShown(true), [])
  const choose = (chosen: Tab) => {
    setTab(chosen)
    change({ tab: chosen }, 'adjust')
  }
  return (
    <article>
      <h1>
        {path === '' ? 'The array' : nameOf(path)}
        {about !== '' && <span class="about">{about}</span>}
      </h1>
      <p class="facts">
        {shapeText(array)}
        <span>{typeText(array)}</span>
      </p>
      <Tabs chosen={tab} onChoose={choose} />
      <div role="tabpanel" aria-label={TAB_NAMES[tab]} class="panel">
        {tab === 'data' && <DataTab {...props} onShown={onShown} />}
        {tab === 'storage' && <StorageTab {...props} />}
        {tab === 'missing' && <MissingTab array={array} format={inspection.format} />}
        {tab === 'code' && <CodeTab {...props} />}
      </div>
      {isShown && <Attributes attributes={array.attributes} />}
      {isShown && path !== '' && <Diagnostics warnings={inspection.warnings} below={path} />}
    </article>
  )
}

interface TabsProps {
  readonly chosen: Tab
  readonly onChoose: (tab: Tab) => void
}

function Tabs({ chosen, onChoose }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const next = TABS[(TABS.indexOf(chosen) + step + TABS.length) % TABS.length]
    if (next === undefined) return
    onChoose(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div role="tablist" class="tabs" onKeyDown={onKeyDown}>
      {TABS.map((tab) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === chosen}
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab)}
        >
          {TAB_NAMES[tab]}
        </button>
      ))}
    </div>
  )
}
