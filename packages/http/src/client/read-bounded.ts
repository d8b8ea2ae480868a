/** Reads a body, if there is one, up to a number of bytes; beyond it, throws what `tooLarge` makes and reads no more. */
export const readBounded = async (
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
  tooLarge: () => Error,
): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
