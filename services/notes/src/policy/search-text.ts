/** Bytes of a text that go into its full-text index. 30,000 distinct words would overflow one entry. */
const searchedBytesMax = 256 * 1024;

/** The part of a long text that is searched; null: all of it. */
export const searchTextOf = (content: string): string | null => {
  if (Buffer.byteLength(content) <= searchedBytesMax) {
    return null;
  }
  // A character cut in half at the end decodes to U+FFFD, which is no word.
  return Buffer.from(content).subarray(0, searchedBytesMax).toString();
};
