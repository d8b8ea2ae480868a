import type { BrokenLink, NoteLinks } from '@commonplace/contracts/notes';
import type { BrokenLinkRow } from '../queries/broken-links.ts';
import type { BacklinkRow, LinkRow } from '../queries/links.ts';

/** A link of a note. */
export const presentLink = ({ targetId, title }: LinkRow): NoteLinks['links'][number] => ({
  target: targetId,
  title,
  resolved: targetId !== null,
});

/** A note that links to another one. */
export const presentBacklink = ({
  id,
  title,
  snippet,
}: Omit<BacklinkRow, 'text' | 'isCut'> & {
  readonly snippet: string;
}): NoteLinks['backlinks'][number] => ({
  id,
  title,
  snippet,
});

/** A link that leads to no note. */
export const presentBrokenLink = ({
  noteId,
  noteTitle,
  folder,
  title,
}: Omit<BrokenLinkRow, 'place'>): BrokenLink => ({
  note: { id: noteId, title: noteTitle, folder },
  title,
});
