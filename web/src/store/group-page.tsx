import { CompareForm } from '../compare/compare-form.tsx'
import { Attributes } from '../parts/attributes.tsx'
import { Diagnostics } from '../parts/diagnostics.tsx'
import type { ArrayInfo, Inspection } from '../service/types.ts'
import { CodeTab } from '../snippets/code-tab.tsx'
import { type ChangeView, linkTo } from '../state/use-view.ts'
import type { View } from '../state/view.ts'
import { FORMAT_NAMES } from './format-names.ts'
import type { NodePageProps } from './node-page.tsx'
import { isCoordinate, nameOf, parentOf } from './nodes.ts'
import { aboutText, shapeText, typeText } from './words.ts'

/** A group as xarray shows a dataset: dimensions, coordinates, variables, attributes. */
export function GroupPage({ path, segment, inspection, view, change }: NodePageProps) {
  const arrays = Object.entries(inspection.arrays).filter(([at]) => at !== '' && parentOf(at) === path)
  const coordinates = arrays.filter(([at, array]) => isCoordinate(at, array))
  const variables = arrays.filter(([at, array]) => !isCoordinate(at, array))
  const groups = Object.keys(inspection.groups).filter((at) => at !== '' && parentOf(at) === path)
  const attributes = inspection.groups[path]?.attributes ?? {}
  const title = attributes['title']
  const heading = path === '' ? (typeof title === 'string' ? title : sourceName(inspection)) : nameOf(path)
  return (
    <article>
      <h1>{heading}</h1>
      <p class="facts">
        {FORMAT_NAMES[inspection.format] ?? inspection.format}
        <span class="source-name">{inspection.source}</span>
      </p>
      <Dimensions arrays={arrays.map(([, array]) => array)} />
      <Variables title="Coordinates" rows={coordinates} view={view} change={change} />
      <Variables title="Data variables" rows={variables} view={view} change={change} />
      {groups.length > 0 && <Groups groups={groups} view={view} change={change} />}
      <Attributes attributes={attributes} />
      <Diagnostics warnings={inspection.warnings} below={path} />
      <details class="fold">
        <summary>Read it elsewhere</summary>
        <CodeTab segment={segment} inspection={inspection} path={path} />
      </details>
      {path === '' && (
        <details class="fold">
          <summary>Compare with another file or version</summary>
          <CompareForm change={change} />
        </details>
      )}
    </article>
  )
}

function sourceName({ source }: Inspection): string {
  return (
    source
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? source
  )
}

function Dimensions({ arrays }: { readonly arrays: readonly ArrayInfo[] }) {
  const lengths = new Map<string, number>()
  for (const { shape, dimension_names: names } of arrays)
    for (const [axis, name] of names.entries()) lengths.set(name, shape[axis] ?? 0)
  if (lengths.size === 0) return null
  return (
    <section aria-labelledby="dimensions">
      <h2 id="dimensions">Dimensions</h2>
      <ul class="dimensions">
        {[...lengths].map(([name, length]) => (
          <li key={name}>
            <b>{name}</b> {length.toLocaleString()}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface VariablesProps {
  readonly title: string
  readonly rows: readonly (readonly [path: string, array: ArrayInfo])[]
  readonly view: View
  readonly change: ChangeView
}

/** Rows that one page shows of a group with very many arrays; the tree has them all. */
const MOST_ROWS = 200

function Variables({ title, rows, view, change }: VariablesProps) {
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>
        {title} <span class="count">{rows.length.toLocaleString()}</span>
      </h2>
      <ul class="variables">
        {rows.slice(0, MOST_ROWS).map(([path, array]) => (
          <li key={path}>
            <a class="variable" {...linkTo({ address: view.address, path }, change)}>
              <b>{nameOf(path)}</b>
              <span class="shape">{shapeText(array)}</span>
              <span class="type">{typeText(array)}</span>
              <span class="about">{aboutText(array)}</span>
            </a>
          </li>
        ))}
      </ul>
      {rows.length > MOST_ROWS && (
        <p class="quiet">{(rows.length - MOST_ROWS).toLocaleString()} more are in the list of contents.</p>
      )}
    </section>
  )
}

interface GroupsProps {
  readonly groups: readonly string[]
  readonly view: View
  readonly change: ChangeView
}

function Groups({ groups, view, change }: GroupsProps) {
  return (
    <section aria-label="Groups">
      <h2>
        Groups <span class="count">{groups.length.toLocaleString()}</span>
      </h2>
      <ul class="variables">
        {groups.slice(0, MOST_ROWS).map((path) => (
          <li key={path}>
            <a class="variable" {...linkTo({ address: view.address, path }, change)}>
              <b>{nameOf(path)}/</b>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
