import { AppError, type NoteId } from '@commonplace/contracts/core';
import { findNotesByTitleContract, getRevisionContract } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { linkedTitle } from '../rules/linked-title.ts';
import type { McpSession } from './mcp-session.ts';
import type { FoundNote, FoundName } from './note-name.ts';
import { unlessRefused } from './unless-refused.ts';

/**
 * A path or a title with a revision does not say which note was read if another one had the name at that revision:
 * a note that is moved away each day leaves its name to the next. Throws `ambiguous` then.
 */
export const assertNoteRead = async (
  session: McpSession,
  { id: foundId, name }: FoundNote,
  revision: number | undefined,
): Promise<void> => {
  if (revision === undefined || name === undefined || linkedTitle(name.title) === '') {
    return;
  }
  const { items, former } = bodyOf<typeof findNotesByTitleContract>(
    await session.call(findNotesByTitleContract, { query: { title: name.title } }),
  );
  // Of several that have the name letter by letter, finding the note has chosen one as reading it did. One with another case
  // was what the name meant before the found one was there.
  const elsewhere = items.filter(
    ({ folder, title }) =>
      title !== name.title || (name.folder !== undefined && folder !== name.folder),
  );
  const others = [...former, ...elsewhere].filter((note) => note.revision >= revision);
  for (const { id, folder, title, revision: newest } of others) {
    if (id !== foundId && (await hadName(session, { id, revision, name }))) {
      const found = { id: foundId, ...name };
      throw new AppError(
        'ambiguous',
        `Another note had this name at revision ${revision}: it is unclear which of the two you have read.`,
        { extensions: { candidates: [found, { id, folder, title, revision: newest }] } },
      );
    }
  }
};

type NamedVersion = {
  readonly id: NoteId;
  readonly revision: number;
  readonly name: FoundName;
};

const hadName = async (
  { call }: McpSession,
  { id, revision, name }: NamedVersion,
): Promise<boolean> => {
  const params = { id, revision: String(revision) };
  const reading = call(getRevisionContract, { params }).then((reply) =>
    bodyOf<typeof getRevisionContract>(reply),
  );
  // Nobody here has read a version that is gone or hidden.
  const version = await unlessRefused(reading, null);
  return (
    version !== null &&
    !version.deleted &&
    keyOf(version.title) === keyOf(name.title) &&
    (name.folder === undefined || version.folder === name.folder)
  );
};

const keyOf = (title: string): string => linkedTitle(title).toLowerCase();
