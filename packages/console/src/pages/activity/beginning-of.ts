/**
 * The beginning of a text of more than so many characters; null if it is not longer. What is one character to a reader, such as a
 * flag or a face with a skin colour, is not cut.
 */
export const beginningOf = (text: string, lengthMax: number): string | null => {
  if (text.length <= lengthMax) {
    return null;
  }
  const cut = new Intl.Segmenter().segment(text).containing(lengthMax);
  return `${text.slice(0, cut?.index).trimEnd()}…`;
};
