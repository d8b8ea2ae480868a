import type { KeyId, OperatorId } from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';

/** The key or the operator that is responsible for a run; exactly one of the two is set. */
type RunSource = {
  readonly sourceKeyId: KeyId | null;
  readonly sourceOperatorId: OperatorId | null;
};

/**
 * Who is responsible for a run that a caller starts or renews: the key, or the operator. Null for the token of a run, which
 * is responsible for nothing: a run that it renews keeps its source.
 */
export const sourceOf = (caller: AgentCaller | OperatorCaller): RunSource | null => {
  if (caller.kind === 'operator') {
    return { sourceKeyId: null, sourceOperatorId: caller.operatorId };
  }
  return caller.keyId === null ? null : { sourceKeyId: caller.keyId, sourceOperatorId: null };
};
