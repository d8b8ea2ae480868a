import type { KeyId, OperatorId } from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';

/** The key or the operator that is responsible for a run; exactly one of the two is set. */
type RunSource = {
  readonly sourceKeyId: KeyId | null;
  readonly sourceOperatorId: OperatorId | null;
  readonly sourceEpoch: number | null;
};

/**
 * Who is responsible for a run that a caller starts or renews: the key, or the operator. Null for the token of a run, which
 * is responsible for nothing: a run that it renews keeps its source. `accessEpoch` is that of an operator.
 */
export const sourceOf = (
  caller: AgentCaller | OperatorCaller,
  accessEpoch: number | null,
): RunSource | null => {
  if (caller.kind === 'operator') {
    const { operatorId: sourceOperatorId } = caller;
    return { sourceKeyId: null, sourceOperatorId, sourceEpoch: accessEpoch };
  }
  const { keyId: sourceKeyId } = caller;
  return sourceKeyId && { sourceKeyId, sourceOperatorId: null, sourceEpoch: null };
};

/**
 * Whether something of an access epoch has ended: the access to the account was taken from who had it then. False if
 * the current epoch is unknown, because a process of the release before responded.
 */
export const isFormerEpoch = (epoch: number | null, current: number | undefined): boolean =>
  current !== undefined && (epoch ?? 0) < current;
