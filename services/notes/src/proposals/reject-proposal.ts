import { AppError } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findNoteFolder } from '../queries/notes.ts';
import type { ListedProposalRow } from '../queries/list-proposals.ts';
import { endProposal, listProposalsById } from '../queries/proposals.ts';
import { authorOf } from '../rules/author-of.ts';
import { modeIn } from '../rules/within-grants.ts';
import { assertOpen } from './accept-proposal.ts';
import { assertOfAnother } from './assert-may-decide.ts';
import type { ProposalCaller } from './proposal-viewer.ts';

/** Ends a proposal, and returns it; the note stays as it is. It needs the grants that accepting needs. */
export const rejectProposal = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { caller, company }: ProposalCaller,
  { row, reason }: { readonly row: ListedProposalRow; readonly reason: string },
): Promise<ListedProposalRow> => {
  assertOfAnother({ caller }, row);
  const at = clock();
  assertOpen(row, at);
  const end = {
    id: row.id,
    state: 'rejected',
    decidedBy: authorOf(caller),
    decisionReason: reason,
    revision: null,
  } as const;
  await write(db, company.id, async (tx) => {
    const folder = await findNoteFolder(tx, row.noteId);
    if (modeIn(company.grants, [row.folder, folder ?? undefined], 'any') !== 'direct') {
      throw new AppError('folder_not_granted');
    }
    if (!(await endProposal(tx, { ...end, at }))) {
      const [now] = await listProposalsById(tx, [row.id]);
      assertOpen(now ?? { ...row, state: 'expired' }, at);
    }
  });
  return { ...row, ...end, decidedAt: at };
};
