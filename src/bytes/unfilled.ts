/** Memory that is about to be written over completely: what it holds until then must not get out. Pages have only such as holds zeros. */
export function unfilled(length: number): Uint8Array<ArrayBuffer> {
  return typeof Buffer === 'undefined' ? new Uint8Array(length) : new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
}
