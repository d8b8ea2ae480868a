import { AppError } from '@commonplace/contracts/core';
import { stopSourceContract } from '@commonplace/contracts/internal';
import { read } from '@commonplace/db';
import { companyScope, defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../../commands/audit.ts';
import { cancelFirstRuns } from '../../commands/finish-cancellations.ts';
import { stopSource, undoAccess } from '../../commands/stop-source.ts';
import type { Deps } from '../../deps.ts';
import { findCompanyWithRole } from '../../queries/companies.ts';

/** Pauses the agent whose changes are undone, as the operator who undoes them, and records the undo. */
export const stopSourceRoute = ({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) =>
  defineRoute(stopSourceContract, async ({ body: { companyId, operator, ...stop } }) => {
    const row = await read(db, companyId, (tx) => findCompanyWithRole(tx, operator));
    if (!row) {
      throw new AppError('not_found', 'No such company.');
    }
    const caller = {
      kind: 'operator' as const,
      ...operator,
      email: '',
      isAdmin: false,
      sessionId: null,
      selectedCompanyId: companyId,
      companies: null,
    };
    const { role, status } = row;
    const company = companyScope({ id: companyId, role, status, grants: null });
    const audit = auditContextOf({ access: undoAccess, caller, company, params: {} }, clock);
    const stopped = await stopSource(db, stop, audit);
    if (stopped.isPaused) {
      await cancelFirstRuns({ db, log }, companyId, 'status');
    }
    return reply(200, stopped);
  });
