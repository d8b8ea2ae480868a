import type { Author } from '@commonplace/contracts/notes';

/** What a caller has that makes it an author, whichever kind it is. */
type Person =
  | { readonly kind: 'agent'; readonly agentId: string; readonly runId: Author['runId'] | null }
  | { readonly kind: 'operator'; readonly operatorId: string };

/** The author of whatever this caller writes: from the credential, never from the request. */
export const authorOf = (caller: Person): Author => {
  if (caller.kind === 'operator') {
    return { kind: 'operator', id: caller.operatorId };
  }
  return { kind: 'agent', id: caller.agentId, ...(caller.runId ? { runId: caller.runId } : {}) };
};
