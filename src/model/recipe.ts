/**
 * How a value that is more than data (an index, a function) is written down: not as it is, but as who makes it of what. What is
 * asked for the ingredients is asked when it is written: parts of an index that were read meanwhile are among them.
 */
export interface Recipe {
  readonly name: string
  ingredients(): unknown
}

/** Makes a value again of its ingredients. */
export interface Maker {
  /** Of all makers: format and kind. */
  readonly recipe: string
  remake(ingredients: unknown): object
}

/** Why something is not written down: it is served all the same, and read anew by the next process. */
export class NotWritten extends Error {}

const RECIPE = Symbol('recipe')

/** The recipe of a value; undefined for plain data, and for what can't be made again. */
export function recipeOf(value: object): Recipe | undefined {
  return (value as { readonly [RECIPE]?: Recipe })[RECIPE]
}

/** Notes the recipe on a value. A copy (`{ ...value }`) has none: it may do something else. */
export function withRecipe<Made extends object>(made: Made, name: string, ingredients: () => unknown): Made {
  return Object.defineProperty(made, RECIPE, { value: { name, ingredients }, configurable: true })
}

/** A function whose results are written as its input, which is plain data, or has recipes itself. */
export interface Making<Input, Made> extends Maker {
  (input: Input): Made
  /** Notes on something else that it is what this makes of an input. */
  mark(made: Made, input: Input): Made
}

/** Makes a function whose results can be written down. What its results hold of their file is given to it again. */
export function recipe<Input, Made extends object, Held>(
  name: string,
  make: (input: Input, held?: Held) => Made & { held?(): Held },
): Making<Input, Made> {
  const making = (input: Input, held?: Held): Made => {
    const made = make(input, held)
    return withRecipe(made, name, () => (made.held === undefined ? [input] : [input, made.held()]))
  }
  const remake = (ingredients: unknown): object => {
    // Written by this program, of this revision: the input is what `make` was given.
    const [input, held] = ingredients as [Input, Held | undefined]
    return making(input, held)
  }
  const mark = (made: Made, input: Input): Made => withRecipe(made, name, () => [input])
  return Object.assign((input: Input) => making(input), { recipe: name, remake, mark })
}
