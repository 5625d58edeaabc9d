import { VirtualZarrError } from '../../errors.ts'

/** Loads the package of a cloud's own credential chain, which is there only where the operator installed it. */
export async function chainPackage(name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    // By a name that the compiler doesn't know: nobody needs the package to build or run the rest.
    return (await import(name)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    const message = `credentials of kind "default" need the package ${name}: npm install ${name}`
    throw new VirtualZarrError('unsupported-feature', message, { feature: `package ${name}` }, cause)
  }
}
