import { isVirtualZarrError } from '../../errors.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { type CfGrid, cfGridOf, type GridAxis } from './cf-grid.ts'
import { codeOf } from './cf-reference-system.ts'
import type { Affine } from './conventions.ts'
import { flatAttributes } from './conventions.ts'
import { type RegularAxis, readRegularAxis } from './regular-axis.ts'

/** Groups whose axes are read: one round of reads, whatever a file holds. */
const MOST_GRIDS = 8

/** The tree with the attributes that say where regular grids lie, on the groups that have them. */
export async function withPlacedGrids(
  root: VirtualGroup,
  source: Source,
  context: ParseContext,
): Promise<VirtualGroup> {
  const grids = new Map<VirtualGroup, CfGrid>()
  findGrids(root, grids)
  if (grids.size === 0) return root
  const placed = new Map<VirtualGroup, [string, AttributeValue][]>()
  await Promise.all(
    [...grids].map(async ([group, grid]) => {
      placed.set(group, await placingAttributes(grid, source, context))
    }),
  )
  return withAttributes(root, placed)
}

function findGrids(group: VirtualGroup, grids: Map<VirtualGroup, CfGrid>): void {
  const grid = grids.size < MOST_GRIDS ? cfGridOf(group) : undefined
  if (grid !== undefined) grids.set(group, grid)
  for (const member of group.members.values()) {
    if (grids.size >= MOST_GRIDS) return
    if (member.kind === 'group') findGrids(member, grids)
  }
}

async function placingAttributes(
  grid: CfGrid,
  source: Source,
  context: ParseContext,
): Promise<[string, AttributeValue][]> {
  const [rows, columns] = await Promise.all([axis(grid.rows, source, context), axis(grid.columns, source, context)])
  if (rows === undefined || columns === undefined) return []
  const transform: Affine = [columns.step, 0, edgeOf(columns), 0, rows.step, edgeOf(rows)]
  const level = { name: '', width: columns.length, height: rows.length, transform }
  return flatAttributes({ levels: [level], dimensions: [grid.rows.name, grid.columns.name], code: codeOf(grid) })
}

/** An axis that can't be read costs the placing: its own array says what is wrong. */
async function axis(named: GridAxis, source: Source, context: ParseContext): Promise<RegularAxis | undefined> {
  try {
    return await readRegularAxis(named, source, { signal: context.signal })
  } catch (error) {
    // The arrays are there already: what is left of a budget of the whole open is spent on the placing alone.
    if (!isOwnFault(error) && !isVirtualZarrError(error, 'limit-exceeded')) throw error
    return undefined
  }
}

function edgeOf({ first, step }: RegularAxis): number {
  return first - step / 2
}

/** What the file says itself stays. */
function withAttributes(
  group: VirtualGroup,
  placed: ReadonlyMap<VirtualGroup, [string, AttributeValue][]>,
): VirtualGroup {
  const members = new Map<string, Member>()
  for (const [name, member] of group.members) {
    members.set(name, member.kind === 'group' ? withAttributes(member, placed) : member)
  }
  const added = (placed.get(group) ?? []).filter(([name]) => !group.attributes.has(name))
  return { ...group, attributes: new Map([...group.attributes, ...added]), members }
}
