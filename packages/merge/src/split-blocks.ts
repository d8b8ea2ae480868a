/**
 * Splits a text into the blocks a merge compares: lines, each with the blank lines that follow it.
 * Blank lines are all equal; on their own they would match each other across the whole text.
 * Trailing blank lines form their own block, so that appending a line does not change the one before.
 * Joining the blocks with line feeds restores the text.
 */
export const splitBlocks = (text: string): string[] => {
  const lines = text.split('\n');
  const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
  const blocks: string[] = [];
  for (let start = 0; start < end;) {
    let next = start + 1;
    while (next < end && isBlank(lines[next])) {
      next += 1;
    }
    blocks.push(lines.slice(start, next).join('\n'));
    start = next;
  }
  return end < lines.length ? [...blocks, lines.slice(end).join('\n')] : blocks;
};

const isBlank = (line: string | undefined): boolean => line?.trim() === '';
