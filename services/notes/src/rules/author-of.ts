import type { Author } from '@commonplace/contracts/notes';

/** The identifying part of a caller of either kind. */
type AuthenticatedCaller =
  | (Via & {
      readonly kind: 'agent';
      readonly agentId: string;
      readonly runId: RunId | null;
      readonly keyId: KeyId | null;
      readonly connection?: { readonly id: NonNullable<Author['connectionId']> };
    })
  | (Via & { readonly kind: 'operator'; readonly operatorId: string });

type Via = Pick<Author, 'via'>;
type RunId = Author['runId'];
type KeyId = Author['keyId'];

/** The author recorded for this caller's writes: taken from the credential, never from the request. */
export const authorOf = (caller: AuthenticatedCaller): Author => {
  const via = caller.via === undefined ? {} : { via: caller.via };
  if (caller.kind === 'operator') {
    return { kind: 'operator', id: caller.operatorId, ...via };
  }
  const run = caller.runId ? { runId: caller.runId } : {};
  const key = caller.keyId ? { keyId: caller.keyId } : {};
  const connection = caller.connection ? { connectionId: caller.connection.id } : {};
  return { kind: 'agent', id: caller.agentId, ...run, ...key, ...connection, ...via };
};
