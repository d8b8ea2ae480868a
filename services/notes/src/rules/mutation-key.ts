import type { Author } from '@commonplace/contracts/notes';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { authorOf } from './author-of.ts';

/** The caller in the idempotency key of a mutation. */
export const callerKey = ({ kind, id }: Pick<Author, 'kind' | 'id'>): string => `${kind}:${id}`;

/**
 * The idempotency key of a request outside of sync, for instance `edit:7` or `create:7`. Clients of sync cannot use
 * it: their client id is not empty.
 */
export const mutationKey = (caller: AgentCaller | OperatorCaller, mutationId: string) => ({
  caller: callerKey(authorOf(caller)),
  clientId: '',
  mutationId,
});
