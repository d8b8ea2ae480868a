import { AppError, type CompanyId } from '@commonplace/contracts/core';
import type { AgentCaller, Caller, OperatorCaller } from '@commonplace/identity';

/**
 * Looks a caller up again, by nothing that was said before; gives it as it is now, with the one company where one is
 * named. 401 when its credential has ended, 403 when it has lost the company.
 */
export type RecheckCaller = (
  caller: AgentCaller | OperatorCaller,
  companyId: CompanyId | null,
) => Promise<AgentCaller | OperatorCaller>;

/** A caller, and since when it is known. */
export type Standing = {
  caller: Caller;
  /** By the wall clock; Infinity once the caller was looked up again. */
  expiresAtMs: number;
  /** By the monotonic clock. */
  checkedAtMs: number;
};

export type Confirmation = {
  readonly standing: Standing;
  readonly companyId: CompanyId | null;
  readonly recheck: RecheckCaller | undefined;
  readonly nowMs: number;
};

/** What was verified longer ago does not hold without another look. */
const holdsMs = 500;

/**
 * Gives the caller if what is known of it is young; otherwise looks it up again. A request may wait here, for its
 * body or for its turn, until its identity has ended: that is no fault of its sender, and so never 401 by itself.
 * Where nobody can be asked, the request is to be sent again (503).
 */
export const confirmCaller = async (confirmation: Confirmation): Promise<Caller> => {
  const { standing, companyId, recheck, nowMs } = confirmation;
  const { caller, expiresAtMs, checkedAtMs } = standing;
  const askedAtMs = performance.now();
  const isExpired = expiresAtMs <= nowMs;
  if (!isExpired && (!recheck || caller.kind === 'service' || askedAtMs - checkedAtMs < holdsMs)) {
    return caller;
  }
  if (!recheck || caller.kind === 'service') {
    throw new AppError('busy', 'The request has waited for too long.', {
      headers: { 'Retry-After': '1' },
    });
  }
  standing.caller = await recheck(caller, companyId);
  standing.expiresAtMs = Infinity;
  standing.checkedAtMs = askedAtMs;
  return standing.caller;
};
