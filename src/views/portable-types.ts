import type { DataType } from '../model/data-type.ts'
import type { Diagnostic, Member, VirtualArray, VirtualNode } from '../model/virtual-store.ts'
import { joinedPath } from './names.ts'
import { type PortableContext, skipped } from './portable-context.ts'
import { asRecordGroup } from './portable-records.ts'
import { asText } from './portable-text.ts'
import { asTime } from './portable-time.ts'

/**
 * A tree of only such types as every client has (TREE-8 and CHUNK-6): text of fixed length and joined characters become
 * `string`, times int64 with CF units, records a group of field arrays; what has no such form is skipped with its reason.
 */
export function withPortableTypes(root: VirtualNode, warn: (diagnostic: Diagnostic) => void): Member {
  return portable(root, { path: '', warn })
}

function portable(node: Member, context: PortableContext): Member {
  if (node.kind === 'skipped') return node
  if (node.kind === 'array') return portableArray(node, node.dataType, context)
  const members = new Map<string, Member>()
  for (const [name, member] of node.members) {
    members.set(name, portable(member, { ...context, path: joinedPath(context.path, name) }))
  }
  return { ...node, members }
}

function portableArray(array: VirtualArray, type: DataType, context: PortableContext): Member {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'string':
      return array
    case 'fixed-text':
      return asText(array, type, context)
    case 'datetime':
    case 'timedelta':
      return asTime(array, type, context)
    case 'structured': {
      const group = asRecordGroup(array, type, context)
      return group.kind === 'skipped' ? group : portable(group, context)
    }
    case 'bytes':
      return skipped('byte strings of any length have no data type that every client knows; codecs=native serves them')
    case 'opaque':
      return skipped('opaque bytes have no data type that every client knows; codecs=native serves them')
  }
}
