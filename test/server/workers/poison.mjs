// A format whose files end the process that opens them, as a bug in a decoder might.
export const poison = {
  name: 'x-poison',
  recognises: (head) => Buffer.from(head.buffer, head.byteOffset, 6).toString('latin1') === 'POISON',
  parse: () => process.abort(),
}
