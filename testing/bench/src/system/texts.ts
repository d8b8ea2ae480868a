const words =
  'the quick brown fox jumps over the lazy dog and writes it down in a notebook of its own';

/** A note of 1 KB with the given title. */
export const noteOf = (title: string) => ({
  title,
  content: `# ${title}\n\n${`${words}.\n`.repeat(12)}`.slice(0, 1_000),
});

/** A text of short, distinct lines. */
export const largeText = (bytes: number): string => {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const line = `line ${lines.length} of a large note that somebody keeps`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, bytes);
};

/** The change of a push that creates a note; a load replaces the marks with every request. */
export const creatingChange = {
  mutationId: '{{id}}',
  id: '{{id}}',
  op: 'put',
  baseRevision: null,
  note: noteOf('pushed {{n}}'),
} as const;
