import { AppError, type CompanyId } from '@commonplace/contracts/core';
import type { AgentCaller, Caller, OperatorCaller } from '@commonplace/identity';

/**
 * Looks up the current state of a caller, without a cache; with one company where it is given. 401 when its
 * credentials have expired or are revoked, 403 when it has lost the company.
 */
export type RecheckCaller = (
  caller: AgentCaller | OperatorCaller,
  companyId: CompanyId | null,
  options?: { readonly acceptsEndedRun?: boolean | undefined },
) => Promise<AgentCaller | OperatorCaller>;

/** A caller, and when it was checked. */
export type CheckedCaller = {
  caller: Caller;
  /** By the wall clock; Infinity once the caller was looked up again. */
  expiresAtMs: number;
  /** By the monotonic clock. */
  checkedAtMs: number;
};

export type Confirmation = {
  readonly checked: CheckedCaller;
  readonly companyId: CompanyId | null;
  readonly recheck: RecheckCaller | undefined;
  /** Whether a run may have ended; see the contract of the route. */
  readonly acceptsEndedRun?: boolean | undefined;
  readonly nowMs: number;
};

/** A check of a caller that is older than this is repeated before its request goes on. */
export const checkMaxAgeMs = 500;

/**
 * Returns the caller if it was checked recently; otherwise looks it up again. A request may wait for its body or in
 * a queue until its identity has expired. That is not the fault of its sender, so it is no 401 by itself. Without
 * a lookup, the client retries (503).
 */
export const confirmCaller = async (confirmation: Confirmation): Promise<Caller> => {
  const { checked, companyId, recheck, acceptsEndedRun, nowMs } = confirmation;
  const { caller, expiresAtMs, checkedAtMs } = checked;
  const nowMonotonicMs = performance.now();
  const isExpired = expiresAtMs <= nowMs;
  if (
    !isExpired &&
    (!recheck || caller.kind === 'service' || nowMonotonicMs - checkedAtMs < checkMaxAgeMs)
  ) {
    return caller;
  }
  if (!recheck || caller.kind === 'service') {
    throw new AppError('busy', 'The request has waited for too long.');
  }
  checked.caller = await recheck(caller, companyId, { acceptsEndedRun });
  checked.expiresAtMs = Infinity;
  checked.checkedAtMs = nowMonotonicMs;
  return checked.caller;
};
