import type { Reach } from '@commonplace/contracts/core';
import type { ProposalDetail } from '@commonplace/contracts/notes';
import { lookup } from '@commonplace/db';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { reservedReader } from '../limits/work-limits.ts';
import { authorsOfProposal, presentProposal } from '../present/present-proposal.ts';
import { presentNote } from '../present/present-note.ts';
import type { ListedProposalRow } from '../queries/list-proposals.ts';
import { findNoteUpTo } from '../queries/notes.ts';
import { diffFields } from '../diff/diff-fields.ts';
import { isActive } from '../rules/note-state.ts';
import { readWholeNote, type Reading } from '../read/read-whole-note.ts';

/** What stands for a note that is not there yet. */
const nothing = {
  title: '',
  content: '',
  folder: '',
  tags: [],
  pinned: false,
  archived: false,
  properties: {},
  deleted: false,
};

/**
 * A proposal with its text and the note as it is now, and how they differ. The bytes of both are reserved before the
 * note is read, until they are compared.
 */
export const readProposalDetail = async (
  deps: Pick<Deps, 'db' | 'describeAuthors' | 'log'> & Reading,
  reach: Reach,
  { row, context }: { readonly row: ListedProposalRow; readonly context: number },
): Promise<ProposalDetail> => {
  const { content, noteId: id } = row;
  const seen = await lookup(deps.db, reach, (tx) => findNoteUpTo(tx, id, 0));
  const size = seen?.size ?? 0;
  const compare = async () => {
    const note =
      seen && (await readWholeNote({ ...deps, reader: reservedReader }, reach, { id, size }));
    const now = isActive(note) ? note : null;
    const before = now ? { ...now, deleted: false } : nothing;
    const diff =
      content === null ? [] : diffFields(before, { ...row, content, deleted: false }, context);
    return { current: now && presentNote(now), diff };
  };
  const bytes = size + (content === null ? 0 : row.size);
  const compared = await deps.reader.read(bytes, compare);
  const named = await nameAuthors(deps, reach.companyId, authorsOfProposal(row));
  return { ...presentProposal(row, reach.companyId, named), content, ...compared };
};
