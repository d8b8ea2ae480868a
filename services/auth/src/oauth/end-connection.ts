import { connectionId, isAppError } from '@commonplace/contracts/core';
import {
  endConnectionContract,
  endConnectionTokensContract,
  type ConnectionEndReason,
} from '@commonplace/contracts/internal';
import type { AdapterDeps } from './adapter-deps.ts';

type Calls = Pick<AdapterDeps, 'callAgents' | 'requestId'>;

/** Ends a connection. One that is over already is not an error. */
export const endConnection = (
  { callAgents, requestId }: Calls,
  grantId: string,
  reason: ConnectionEndReason,
): Promise<void> =>
  unlessOver(() =>
    callAgents(
      endConnectionContract,
      { connectionId: connectionId.parse(grantId), reason },
      requestId(),
    ),
  );

/** Ends one access token of a connection, or all of them. */
export const endTokens = (
  { callAgents, requestId }: Calls,
  grantId: string,
  token?: string,
): Promise<void> => {
  const named = { connectionId: connectionId.parse(grantId) };
  return unlessOver(() =>
    callAgents(
      endConnectionTokensContract,
      token === undefined ? named : { ...named, token },
      requestId(),
    ),
  );
};

const unlessOver = async (call: () => Promise<unknown>): Promise<void> => {
  try {
    await call();
  } catch (error) {
    if (!isConnectionOver(error)) {
      throw error;
    }
  }
};

/** Whether the agents service says that a connection is over or never was. */
export const isConnectionOver = (error: unknown): boolean =>
  isAppError(error) && ['connection_ended', 'not_found'].includes(error.code);
