/** Numbers already given out, by name: keeps the search for the next one short. */
export type Numbers = Map<string, number>

/** The name, or the name with a number that makes it unique. */
export function uniqueName(name: string, taken: { has(name: string): boolean }, numbers: Numbers): string {
  if (!taken.has(name)) return name
  // Never two underscores: they may not lead a name.
  const base = name.endsWith('_') ? name : `${name}_`
  let number = numbers.get(base) ?? 2
  while (taken.has(`${base}${number}`)) number++
  numbers.set(base, number + 1)
  return `${base}${number}`
}
