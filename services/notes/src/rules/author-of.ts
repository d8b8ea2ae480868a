import type { Author } from '@commonplace/contracts/notes';

/** The identifying part of a caller of either kind. */
type AuthenticatedCaller =
  | { readonly kind: 'agent'; readonly agentId: string; readonly runId: Author['runId'] | null }
  | { readonly kind: 'operator'; readonly operatorId: string };

/** The author recorded for this caller's writes: taken from the credential, never from the request. */
export const authorOf = (caller: AuthenticatedCaller): Author => {
  if (caller.kind === 'operator') {
    return { kind: 'operator', id: caller.operatorId };
  }
  return { kind: 'agent', id: caller.agentId, ...(caller.runId ? { runId: caller.runId } : {}) };
};
