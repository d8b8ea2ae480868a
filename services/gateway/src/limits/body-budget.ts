import { AppError } from '@commonplace/contracts';
import { networkOfAddress } from '@commonplace/identity';
import { createKeyedCounter } from '../http/keyed-counter.ts';

export type BodyLimits = {
  /** Bytes buffered at once: in total, per credential and per address (/64 for IPv6). */
  readonly total: number;
  readonly perCredential: number;
  readonly perAddress: number;
};

/** What the budget counts for the metrics. */
export type BodyCounters = {
  /** Bytes of request bodies that are buffered. */
  bodyBytes: number;
  /** Bodies rejected because too many bytes were buffered. */
  bodiesRefused: number;
};

/** The sender of a body. Public routes have no credential. */
type Sender = { readonly address: string; readonly credentialId: string | null };

/** The share of one body in the budget. */
export type BodyAccount = {
  /** Reserves bytes: 429 when the sender has too many in the buffer, 503 when all senders together have. */
  readonly charge: (bytes: number) => void;
  /** Releases all bytes. Can be called more than once. */
  readonly release: () => void;
};

/** Opens the account of a body. */
export type BodyBudget = (sender: Sender) => BodyAccount;

/**
 * Creates the budget for buffered bodies. Bytes are charged as they arrive and not by `Content-Length`, which
 * costs its sender nothing.
 */
export const createBodyBudget = (
  { total, perCredential, perAddress }: BodyLimits,
  counters: BodyCounters,
): BodyBudget => {
  const buffered = createKeyedCounter();

  return ({ address, credentialId }) => {
    const limits = new Map([
      [`address ${networkOfAddress(address)}`, perAddress],
      ...(credentialId === null ? [] : [[`credential ${credentialId}`, perCredential] as const]),
    ]);
    let charged = 0;
    const addToAll = (bytes: number): void => {
      charged += bytes;
      counters.bodyBytes += bytes;
      for (const name of limits.keys()) {
        buffered.add(name, bytes);
      }
    };
    return {
      charge: (bytes) => {
        const isOver = [...limits].some(([name, max]) => buffered.get(name) + bytes > max);
        if (isOver || counters.bodyBytes + bytes > total) {
          counters.bodiesRefused += 1;
          throw isOver ? senderLimitReached() : totalLimitReached();
        }
        addToAll(bytes);
      },
      release: () => addToAll(-charged),
    };
  };
};

const retryLater = { headers: { 'Retry-After': '1' } };

const senderLimitReached = (): AppError =>
  new AppError(
    'rate_limited',
    'Your requests have too many body bytes in flight; retry after 1 s.',
    retryLater,
  );

const totalLimitReached = (): AppError =>
  new AppError(
    'busy',
    'Too many bytes of request bodies are in flight; retry after 1 s.',
    retryLater,
  );
