import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { authorOf } from './author-of.ts';

/**
 * The idempotency key of a request outside of sync, for instance `edit:7` or `create:7`. Clients of sync cannot use it: their
 * client id is not empty.
 */
export const mutationKey = (caller: AgentCaller | OperatorCaller, mutationId: string) => {
  const { kind, id } = authorOf(caller);
  return { caller: `${kind}:${id}`, clientId: '', mutationId };
};
