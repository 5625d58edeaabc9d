import { malformed, unsupported } from '../errors.ts'
import { isJsonObject, type Json } from '../json/json.ts'
import type { SourceTree } from './document.ts'
import { membersOf, names, numberOrText, textOf } from './members.ts'
import type { SourceSpec } from './sources/source-spec.ts'
import type { FieldSpec } from './sources/template.ts'

/** Reads `sources`: one form, or a list of them; with several joined dimensions lists in lists, or, of two, rasters that say where they lie. */
export function readSources(json: Json | undefined, levels: number): SourceTree {
  if (json === undefined || json === null) throw malformed('a join names its sources')
  if (isJsonObject(json) && Object.hasOwn(json, 'stac')) {
    if (levels > 1) throw malformed('sources of STAC lie along time, and along no other dimension')
    return { kind: 'stac', url: textOf(membersOf(json, 'sources', ['stac']).get('stac'), 'sources.stac') }
  }
  if (levels === 1) return { kind: 'sources', specs: specsOf(json) }
  const isFlat = !Array.isArray(json) || json.every((item) => typeof item === 'string')
  if (isFlat && levels === 2) return { kind: 'mosaic', specs: specsOf(json) }
  if (isFlat) throw malformed(`along names ${levels} dimensions, so that sources is a list of rows`)
  return { kind: 'rows', rows: (json as readonly Json[]).map((row) => readSources(row, levels - 1)) }
}

function specsOf(json: Json): readonly SourceSpec[] {
  if (!Array.isArray(json)) return [specOf(json)]
  const items = json as readonly Json[]
  if (items.length === 0) throw malformed('sources is an empty list')
  const urls = items.filter((item) => typeof item === 'string')
  if (urls.length === items.length) return [{ kind: 'list', urls: names(json, 'sources') }]
  return items.map(specOf)
}

const FORMS = ['template', 'glob', 'list', 'stac']

function specOf(json: Json): SourceSpec {
  if (typeof json === 'string') return { kind: 'list', urls: [textOf(json, 'sources')] }
  if (!isJsonObject(json)) throw malformed(`sources is ${FORMS.join(', ')} or a list of them`)
  const form = FORMS.filter((name) => Object.hasOwn(json, name))
  const [name] = form
  if (name === undefined || form.length > 1)
    throw malformed(`sources says one of ${FORMS.join(', ')}, not ${form.join(' and ') || 'none'}`)
  if (name === 'template') return templateOf(json)
  const value = membersOf(json, 'sources', [name]).get(name)
  if (name === 'stac')
    throw unsupported('join: stac in a list', 'sources.stac stands alone; merge puts several beside each other')
  if (name === 'glob') return { kind: 'pattern', pattern: textOf(value, 'sources.glob') }
  if (!Array.isArray(value) || value.length === 0) throw malformed('sources.list is a list of URLs')
  return { kind: 'list', urls: names(value, 'sources.list') }
}

function templateOf(json: Json): SourceSpec {
  const { template, ...fields } = Object.fromEntries(membersOf(json, 'sources'))
  const specs = Object.entries(fields).map(([name, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw malformed(`a template's field is named by letters, not ${name.slice(0, 50)}`)
    return [name, fieldOf(value, name)] as const
  })
  return { kind: 'template', template: textOf(template, 'sources.template'), fields: new Map(specs) }
}

function fieldOf(json: Json, name: string): FieldSpec {
  if (!Array.isArray(json)) return numberOrText(json, `sources.${name}`)
  return (json as readonly Json[]).map((item) => numberOrText(item, `sources.${name}`))
}
