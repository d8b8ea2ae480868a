import type { Reach } from '@commonplace/contracts/core';
import type { ProposalDetail } from '@commonplace/contracts/notes';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { authorsOfProposal, presentProposal } from '../present/present-proposal.ts';
import { presentNote } from '../present/present-note.ts';
import type { ListedProposalRow } from '../queries/list-proposals.ts';
import { diffFields } from '../rules/diff-fields.ts';
import { isActive } from '../rules/note-state.ts';
import { readWholeNote } from '../write/read-whole-note.ts';

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

/** A proposal with its text and the note as it is now, and how they differ. */
export const readProposalDetail = async (
  deps: Pick<Deps, 'db' | 'readLarge' | 'describeAuthors' | 'log'>,
  reach: Reach,
  { row, context }: { readonly row: ListedProposalRow; readonly context: number },
): Promise<ProposalDetail> => {
  const note =
    row.noteRevision === null
      ? null
      : await readWholeNote(deps, reach, { id: row.noteId, size: row.size });
  const now = isActive(note) ? note : null;
  const { content } = row;
  const named = await nameAuthors(deps, reach.companyId, authorsOfProposal(row));
  return {
    ...presentProposal(row, reach.companyId, named),
    content,
    current: now && presentNote(now),
    diff:
      content === null
        ? []
        : diffFields(
            now ? { ...now, deleted: false } : nothing,
            { ...row, content, deleted: false },
            context,
          ),
  };
};
