/** A text of so many bytes, of short lines that are all different. */
export const largeText = (bytes: number): string => {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const line = `line ${lines.length} of a large note that somebody keeps`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, bytes);
};
