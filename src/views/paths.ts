/** The path of a member: no leading slash, the root is ''. */
export function joinedPath(group: string, name: string): string {
  return group === '' ? name : `${group}/${name}`
}
