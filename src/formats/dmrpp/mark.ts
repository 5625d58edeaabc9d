import { latin1Text } from '../../bytes/text.ts'
import type { FormatMark } from '../format.ts'

/** By its root and the namespace of chunks, both of which are spelled with http and with https. */
export const dmrppMark: FormatMark = {
  name: 'dmrpp',
  recognises: (head) => isDmrpp(latin1Text(head)),
}

function isDmrpp(head: string): boolean {
  return (
    /<(?:[\w.-]+:)?Dataset[\s>]/.test(head) &&
    /xmlns:[\w.-]+\s*=\s*["']https?:\/\/xml\.opendap\.org\/dap\/dmrpp\//.test(head)
  )
}
