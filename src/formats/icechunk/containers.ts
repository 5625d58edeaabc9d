import { FlexBuffer } from './flex-map.ts'

/** The URL prefixes of containers of virtual chunks, by their names, in the configuration of a repository of format 2. */
export function containerPrefixes(config: Uint8Array | undefined): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>()
  if (config === undefined) return prefixes
  const buffer = new FlexBuffer(config)
  const containers = buffer.members(buffer.members(buffer.root()).get('virtual_chunk_containers'))
  for (const container of containers.values()) {
    const members = buffer.members(container)
    const [name, prefix] = [buffer.text(members.get('name')), buffer.text(members.get('url_prefix'))]
    if (name !== undefined && prefix !== undefined) prefixes.set(name, prefix)
  }
  return prefixes
}
