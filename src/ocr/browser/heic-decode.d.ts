declare module 'heic-decode' {
  /** RGBA of the first picture, turned and mirrored as the file says. */
  function decode(file: {
    buffer: Uint8Array;
  }): Promise<{ data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }>;
  export = decode;
}
