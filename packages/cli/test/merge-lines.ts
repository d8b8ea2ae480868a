import type { NoteText } from '@commonplace/client';

/**
 * A three-way merge of notes whose content is a set of lines: lines that one side added are kept,
 * lines that one side removed go. Null when both changed the title, each in its own way.
 */
export const mergeLines = (base: NoteText, ours: NoteText, theirs: NoteText): NoteText | null => {
  const isOursNew = ours.title !== base.title;
  if (isOursNew && theirs.title !== base.title && theirs.title !== ours.title) {
    return null;
  }
  const [before, mine, now] = [base, ours, theirs].map(({ content }) => content.split('\n'));
  const kept = (now ?? []).filter((line) => mine?.includes(line) || !before?.includes(line));
  const added = (mine ?? []).filter((line) => !before?.includes(line) && !kept.includes(line));
  const content = [...kept, ...added].join('\n');
  return { ...theirs, title: isOursNew ? ours.title : theirs.title, content };
};
