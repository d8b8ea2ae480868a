import type { UndoId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { countProposalsOfSource, rejectProposalsOfSource } from '../queries/proposals-of-source.ts';
import { lockUndo } from '../queries/undos.ts';

/** What the agent reads. */
const reason = 'What it wrote was taken back, and its proposals with it.';

/**
 * Rejects the open proposals of the source of an undo that begins, or counts them for a dry run. Under the lock of the company,
 * as proposals are made. Returns how many.
 */
export const withdrawProposals = async (tx: CompanyTx, id: UndoId, at: Date): Promise<number> => {
  const undo = await lockUndo(tx, id);
  if (undo?.status !== 'queued' || !undo.withdrawsProposals) {
    return 0;
  }
  const decidedBy = { ...undo.caller.author, via: 'undo' as const };
  return undo.isDryRun
    ? countProposalsOfSource(tx, undo.source)
    : rejectProposalsOfSource(tx, undo.source, { decidedBy, reason, at });
};
