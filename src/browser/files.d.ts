// What the build makes of files that are no modules: their bytes.

declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>

  export { bytes as default }
}
