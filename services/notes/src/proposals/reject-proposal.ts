import { AppError } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findNoteFolder } from '../queries/notes.ts';
import { endProposal, type ProposalRow } from '../queries/proposals.ts';
import { authorOf } from '../rules/author-of.ts';
import { modeIn } from '../rules/within-grants.ts';
import { assertOpen } from './accept-proposal.ts';
import { assertOfAnother } from './assert-may-decide.ts';
import type { ProposalCaller } from './proposal-viewer.ts';

/** Ends a proposal; the note stays as it is. It needs the grants that accepting needs. */
export const rejectProposal = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { caller, company }: ProposalCaller,
  { row, reason }: { readonly row: ProposalRow; readonly reason: string },
): Promise<void> => {
  assertOfAnother({ caller }, row);
  assertOpen(row);
  const isEnded = await write(db, company.id, async (tx) => {
    const folder = await findNoteFolder(tx, row.noteId);
    if (modeIn(company.grants, [row.folder, folder ?? undefined], 'any') !== 'direct') {
      throw new AppError('folder_not_granted');
    }
    return endProposal(tx, {
      id: row.id,
      state: 'rejected',
      decidedBy: authorOf(caller),
      decisionReason: reason,
      revision: null,
      at: clock(),
    });
  });
  if (!isEnded) {
    throw new AppError('proposal_decided', 'The proposal is no longer open.');
  }
};
