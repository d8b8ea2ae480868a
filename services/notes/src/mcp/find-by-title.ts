import { AppError, type NoteId } from '@commonplace/contracts/core';
import { findNotesByTitleContract } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { noteOfTitle } from '../rules/note-of-title.ts';
import { pathOf } from './format.ts';
import type { McpSession } from './mcp-session.ts';

/** Where a note is, or was. */
export type Place = { readonly folder: string; readonly title: string };

export type TitleSearch = {
  /** A deleted note is found too, where no other has the title. */
  readonly withDeleted: boolean;
};

type Candidate = Place & {
  readonly id: NoteId;
  readonly revision: number;
  readonly conflictOf: NoteId | null;
};

/** The one note of a title in any folder, see `noteOfTitle`. */
export const findByTitle = async (
  session: McpSession,
  title: string,
  { withDeleted }: TitleSearch,
): Promise<NoteId> => {
  const { items, former, isComplete } = await notesOf(session, title);
  if (items.length > 0) {
    return noteOfTitle(items, title)?.id ?? onlyOne(items);
  }
  const deleted = former.filter((item) => item.deleted);
  if (withDeleted && deleted.length > 0) {
    return onlyOne(deleted);
  }
  const detail = isComplete
    ? 'No note has this title.'
    : 'No note of this title is known yet: titles of older notes are still being added.';
  throw whereItWent(former, detail);
};

/** The deleted note of a place; throws with the notes that have its title elsewhere, or had it. */
export const findMissing = async (
  session: McpSession,
  { folder, title }: Place,
  { withDeleted }: TitleSearch,
): Promise<NoteId> => {
  const { items, former } = await notesOf(session, title);
  const deleted = former.filter((item) => item.deleted && item.folder === folder);
  if (withDeleted && deleted.length > 0) {
    return onlyOne(deleted);
  }
  if (items.length > 0) {
    const places = items.map(describe).join(', ');
    throw new AppError('not_found', `No note is at this path. Of this title are: ${places}.`);
  }
  throw whereItWent(former, 'No note is at this path.');
};

const notesOf = async ({ call }: McpSession, title: string) =>
  bodyOf<typeof findNotesByTitleContract>(
    await call(findNotesByTitleContract, { query: { title } }),
  );

const onlyOne = (found: readonly Candidate[]): NoteId => {
  const [note, ...others] = found;
  if (!note || others.length > 0) {
    const candidates = found.map(({ id, folder, title, revision, conflictOf }) => ({
      id,
      folder,
      title,
      revision,
      ...(conflictOf === null ? {} : { conflictOf }),
    }));
    throw new AppError('ambiguous', 'Several notes have this title.', {
      extensions: { candidates },
    });
  }
  return note.id;
};

/** The bytes of the path of a note in a message. */
const placeBytesMax = 120;
const shownMax = 5;

const describe = (note: Candidate): string => `${pathOf(note, placeBytesMax)} (${note.id})`;

/** Says where the notes are that had a title. */
const whereItWent = (
  former: readonly (Candidate & { readonly deleted: boolean })[],
  detail: string,
): AppError => {
  const renamed = former.filter(({ deleted }) => !deleted).slice(0, shownMax);
  const deleted = former.filter((item) => item.deleted).slice(0, shownMax);
  const sentences = [
    detail,
    ...(renamed.length > 0 ? [`It was renamed: ${renamed.map(describe).join(', ')}.`] : []),
    ...(deleted.length > 0 ? [`Deleted: ${deleted.map(describe).join(', ')}.`] : []),
  ];
  const isDeleted = renamed.length === 0 && deleted.length > 0;
  return new AppError(isDeleted ? 'note_deleted' : 'not_found', sentences.join(' '));
};
