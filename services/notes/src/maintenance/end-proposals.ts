import { proposalLimits } from '@commonplace/contracts/notes';
import { runGlobal, withCompany } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  deleteProposals,
  expireProposals,
  listCompaniesWithDueProposals,
  removeProposedTexts,
} from '../queries/due-proposals.ts';

const dayMs = 86_400_000;

/**
 * Ends proposals that nobody decided in time, and removes the texts of those that are decided. Their rows stay as long
 * again, so that the agents that made them read what became of them.
 */
export const endProposals = async (
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  stopping: AbortSignal,
): Promise<void> => {
  const now = clock();
  const before = new Date(now.getTime() - proposalLimits.days * dayMs);
  for (const companyId of await runGlobal(db, (tx) => listCompaniesWithDueProposals(tx, now))) {
    if (stopping.aborted) {
      return;
    }
    await withCompany(db, companyId, async (tx) => {
      await expireProposals(tx, now);
      await removeProposedTexts(tx, now);
      await deleteProposals(tx, before);
    }).catch((error: unknown) =>
      log.warn({ err: error, companyId }, 'proposals could not be ended; a retry follows'),
    );
  }
};
