// What the build makes of files that are no modules: their bytes.

declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>

  export { bytes as default }
}

declare module '@cornerstonejs/codec-openjpeg/decodewasm' {
  const bytes: Uint8Array<ArrayBuffer>

  export { bytes as default }
}

declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  const start: unknown

  export { start as default }
}

declare module '@cornerstonejs/codec-libjxl/decodewasmjs' {
  const start: unknown

  export { start as default }
}
