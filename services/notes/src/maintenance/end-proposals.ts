import type { CompanyId } from '@commonplace/contracts/core';
import { proposalLimits } from '@commonplace/contracts/notes';
import { read, write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  deleteProposals,
  deleteSuperseded,
  expireProposals,
  listCompaniesWithDueProposals,
  removeProposedTexts,
} from '../queries/due-proposals.ts';
import { deleteInBatches } from './delete-in-batches.ts';

const dayMs = 86_400_000;
/** As `0048_index_open_proposals.ts` has it. */
const supersededMs = dayMs;

/**
 * Ends proposals that nobody decided in time, and removes the texts of those that are decided. Their rows stay as long
 * again, so that the agents that made them read what became of them; those of superseded ones a day.
 */
export const endProposals = async (
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  stopping: AbortSignal,
): Promise<void> => {
  const now = deps.clock();
  for (const companyId of await read(deps.db, 'global', (tx) =>
    listCompaniesWithDueProposals(tx, now),
  )) {
    if (stopping.aborted) {
      return;
    }
    await endOfCompany(deps, { companyId, now, stopping }).catch((error: unknown) =>
      deps.log.warn({ err: error, companyId }, 'proposals could not be ended; a retry follows'),
    );
  }
};

type Ending = {
  readonly companyId: CompanyId;
  readonly now: Date;
  readonly stopping: AbortSignal;
};

const endOfCompany = async (
  { db }: Pick<Deps, 'db'>,
  { companyId, now, stopping }: Ending,
): Promise<void> => {
  await write(db, companyId, (tx) => expireProposals(tx, now));
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const steps = [
    { before: now, remove: removeProposedTexts },
    { before: ago(supersededMs), remove: deleteSuperseded },
    { before: ago(proposalLimits.days * dayMs), remove: deleteProposals },
  ];
  for (const step of steps) {
    await deleteInBatches({ db }, { companyId, ...step, stopping });
  }
};
