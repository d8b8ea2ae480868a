import { describeOperatorsContract } from '@commonplace/contracts/internal';
import type { Logger, ServiceClient } from '@commonplace/http';
import { LRUCache } from 'lru-cache';
import type { OperatorState, OperatorStates } from '../deps.ts';

const ttlMs = 60_000;
const entriesMax = 10_000;
/** While auth is unavailable, lists do not wait for it each time. */
const retryAfterMs = 5_000;
/** What is remembered of ids without an account. */
const unknown = 'unknown';

/** Reads the states of operators from the auth service. */
export const createOperatorStates = (callAuth: ServiceClient, log: Logger): OperatorStates => {
  const cache = new LRUCache<string, OperatorState | typeof unknown>({
    max: entriesMax,
    ttl: ttlMs,
  });
  let retryAtMs = 0;

  const read: OperatorStates['read'] = async (ids) => {
    const operatorIds = [...new Set(ids)];
    if (operatorIds.length === 0) {
      return new Map();
    }
    const { items } = await callAuth(describeOperatorsContract, { operatorIds });
    const states = new Map(items.map((item) => [item.operatorId, stateOf(item)] as const));
    for (const [operatorId, state] of states) {
      cache.set(operatorId, state);
    }
    return states;
  };

  /** The operator of an instance on this machine alone has no account. */
  const readMissing: OperatorStates['read'] = async (ids) => {
    const states = await read(ids);
    ids.filter((id) => !states.has(id)).forEach((id) => cache.set(id, unknown));
    return states;
  };

  const recall: OperatorStates['recall'] = async (ids) => {
    const known = new Map<string, OperatorState>();
    const missing = ids.filter((id) => {
      const state = cache.get(id);
      if (state !== undefined && state !== unknown) {
        known.set(id, state);
      }
      return state === undefined;
    });
    if (missing.length === 0 || performance.now() < retryAtMs) {
      return known;
    }
    const found = await readMissing(missing).catch((error: unknown) => {
      retryAtMs = performance.now() + retryAfterMs;
      log.warn({ err: error }, 'operators are listed without the state of their email');
      return new Map<string, OperatorState>();
    });
    return new Map([...known, ...found]);
  };

  return { read, recall };
};

type Described = {
  readonly isEmailVerified: boolean;
  readonly isDisabled: boolean;
  readonly canSignIn?: boolean | undefined;
};

/** An auth process of the release before says only whether an operator is disabled. */
const stateOf = ({
  isEmailVerified,
  isDisabled,
  canSignIn = !isDisabled,
}: Described): OperatorState => ({ isEmailVerified, canSignIn });
