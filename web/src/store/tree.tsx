import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Inspection } from '../service/types.ts'
import { nameOf, parentOf, type TreeNode, treeOf } from './nodes.ts'
import { afterKey, firstOpen, rowsOf } from './tree-rows.ts'
import { useWindow } from './use-window.ts'

const ROW_HEIGHT = 28

interface TreeProps {
  readonly inspection: Inspection
  readonly path: string | undefined
  readonly onChoose: (path: string) => void
}

/** Groups and arrays; only the rows that are in view are drawn, so that 25,000 are as quick as ten. */
export function Tree({ inspection, path, onChoose }: TreeProps) {
  const nodes = useMemo(() => treeOf(inspection), [inspection])
  const [open, setOpen] = useState(() => firstOpen(nodes))
  const [search, setSearch] = useState('')
  const rows = useMemo(() => rowsOf(nodes, open, search), [nodes, open, search])
  const toggle = (group: string) => setOpen((before) => toggled(before, group))
  return (
    <div class="tree">
      <input
        type="search"
        class="tree-search"
        placeholder={`Find in ${nodes.length - 1} ${nodes.length === 2 ? 'node' : 'nodes'}`}
        aria-label="Find a group or an array"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      {rows.length === 0 && <p class="empty">Nothing is called that.</p>}
      <Rows rows={rows} open={open} isSearch={search !== ''} path={path} onChoose={onChoose} toggle={toggle} />
    </div>
  )
}

function toggled(before: ReadonlySet<string>, group: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(group)) after.add(group)
  return after
}

interface RowsProps {
  readonly rows: readonly TreeNode[]
  readonly open: ReadonlySet<string>
  readonly isSearch: boolean
  readonly path: string | undefined
  readonly onChoose: (path: string) => void
  readonly toggle: (group: string) => void
}

function Rows({ rows, open, isSearch, path, onChoose, toggle }: RowsProps) {
  const list = useRef<HTMLDivElement>(null)
  const { first, last, reveal } = useWindow(list, rows.length, ROW_HEIGHT)
  const chosen = rows.findIndex((row) => row.path === path)
  const [active, setActive] = useState(Math.max(0, chosen))
  useEffect(() => {
    if (chosen < 0) return
    setActive(chosen)
    reveal(chosen)
  }, [chosen, reveal])
  const onKeyDown = (event: KeyboardEvent) => {
    const node = rows[active]
    if (node !== undefined && (event.key === 'Enter' || event.key === ' ')) onChoose(node.path)
    const after = afterKey(event.key, rows, active, open)
    if (after === undefined && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (after?.toggle !== undefined) toggle(after.toggle)
    if (after?.at !== undefined) {
      setActive(after.at)
      reveal(after.at)
    }
  }
  return (
    <div
      class="tree-rows"
      ref={list}
      role="tree"
      aria-label="Contents"
      tabIndex={0}
      aria-activedescendant={rows.length > 0 ? `row-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: `${rows.length * ROW_HEIGHT}px` }} role="presentation">
        {rows.slice(first, last).map((node, i) => (
          <Row
            key={node.path}
            node={node}
            at={first + i}
            isOpen={isSearch || open.has(node.path)}
            isChosen={node.path === path}
            isActive={first + i === active}
            onChoose={onChoose}
            toggle={toggle}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  readonly node: TreeNode
  readonly at: number
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly onChoose: (path: string) => void
  readonly toggle: (group: string) => void
}

function Row({ node, at, isOpen, isChosen, isActive, onChoose, toggle }: RowProps) {
  const { path, depth, kind, hasChildren } = node
  const press = (event: MouseEvent) => {
    const onTwist = (event.target as HTMLElement).classList.contains('twist')
    if (onTwist && hasChildren) toggle(path)
    else onChoose(path)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={`row-${at}`}
      class={`row ${kind}${isActive ? ' active' : ''}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(hasChildren && { 'aria-expanded': isOpen })}
      style={{ top: `${at * ROW_HEIGHT}px`, paddingLeft: `${4 + depth * 14}px` }}
      onClick={press}
      title={path}
    >
      <span class="twist" aria-hidden="true">
        {hasChildren ? (isOpen ? '▾' : '▸') : ''}
      </span>
      {path === '' ? 'Overview' : nameOf(path)}
      {kind === 'skipped' && <span class="quiet"> not served</span>}
      {depth > 8 && <span class="hidden"> in {parentOf(path)}</span>}
    </div>
  )
}
