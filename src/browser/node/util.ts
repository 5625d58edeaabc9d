// What of node:util this project uses, for browsers.

type Done<Result> = (error: Error | null, result?: Result) => void

/** The only function that is called so and also runs here takes bytes and bounds. */
export function promisify<Input, Options, Result>(call: (input: Input, options: Options, done: Done<Result>) => void) {
  return (input: Input, options: Options) =>
    new Promise<Result>((resolve, reject) =>
      call(input, options, (error, result) => (error === null ? resolve(result as Result) : reject(error))),
    )
}
