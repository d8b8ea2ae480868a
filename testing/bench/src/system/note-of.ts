const words =
  'the quick brown fox jumps over the lazy dog and writes it down in a notebook of its own';

/** A note of 1 KB, title and text; its title tells it apart. */
export const noteOf = (title: string) => ({
  title,
  content: `# ${title}\n\n${`${words}.\n`.repeat(12)}`.slice(0, 1_000),
});
