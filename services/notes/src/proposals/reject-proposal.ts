import { AppError } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findNoteFolder } from '../queries/notes.ts';
import type { ListedProposalRow } from '../queries/list-proposals.ts';
import { endProposal } from '../queries/proposals.ts';
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
  assertOpen(row);
  const end = {
    id: row.id,
    state: 'rejected',
    decidedBy: authorOf(caller),
    decisionReason: reason,
    revision: null,
  } as const;
  const at = clock();
  const isEnded = await write(db, company.id, async (tx) => {
    const folder = await findNoteFolder(tx, row.noteId);
    if (modeIn(company.grants, [row.folder, folder ?? undefined], 'any') !== 'direct') {
      throw new AppError('folder_not_granted');
    }
    return endProposal(tx, { ...end, at });
  });
  if (!isEnded) {
    throw new AppError('proposal_decided', 'The proposal is no longer open.');
  }
  return { ...row, ...end, decidedAt: at };
};
