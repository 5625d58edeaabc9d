/** What zarrita asks of a codec; the page only reads. */
export interface ReadingCodec {
  readonly kind: 'bytes_to_bytes'
  decode(bytes: Uint8Array): Uint8Array
  encode(): never
}

/** A codec of which nothing depends on its configuration: what is needed to read is in the bytes. */
export function reading(decode: (bytes: Uint8Array) => Uint8Array): { fromConfig(): ReadingCodec } {
  const encode = (): never => {
    throw new Error('this page writes nothing')
  }
  return { fromConfig: () => ({ kind: 'bytes_to_bytes', decode: (bytes) => alone(decode(bytes)), encode }) }
}

/** Bytes in a buffer of their own: zarrita's next codec looks at the buffer from its start. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}
