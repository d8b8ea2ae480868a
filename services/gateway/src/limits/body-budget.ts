import { AppError } from '@commonplace/contracts';
import { networkOfAddress } from '@commonplace/identity';
import type { GatewayCounters } from '../observability/counters.ts';

export type BodyLimits = {
  /** Bytes held by this process at once, and those of one credential and of one address (/64 for IPv6). */
  readonly total: number;
  readonly perCredential: number;
  readonly perAddress: number;
};

/** Who sends a body; no credential on public routes. */
type Sender = { readonly address: string; readonly credentialId: string | null };

/** What one body takes from the budget. */
export type BodyAccount = {
  /** Takes more bytes: 429 when the sender holds too many, 503 when everybody together does. */
  readonly charge: (bytes: number) => void;
  /** Gives everything back; may be called more than once. */
  readonly release: () => void;
};

/** Opens the account of a body. */
export type BodyBudget = (sender: Sender) => BodyAccount;

/**
 * Makes the budget for bodies that are held until they are complete. Bytes are charged as they arrive and
 * not as they are announced: an announcement costs its sender nothing.
 */
export const createBodyBudget = (
  { total, perCredential, perAddress }: BodyLimits,
  counters: Pick<GatewayCounters, 'bodyBytes' | 'bodiesRefused'>,
): BodyBudget => {
  const held = new Map<string, number>();
  const heldBy = (name: string): number => held.get(name) ?? 0;
  const add = (name: string, bytes: number): void => {
    const sum = heldBy(name) + bytes;
    if (sum > 0) {
      held.set(name, sum);
    } else {
      held.delete(name);
    }
  };

  return ({ address, credentialId }) => {
    const limits = new Map([
      [`address ${networkOfAddress(address)}`, perAddress],
      ...(credentialId === null ? [] : [[`credential ${credentialId}`, perCredential] as const]),
    ]);
    let charged = 0;
    const take = (bytes: number): void => {
      charged += bytes;
      counters.bodyBytes += bytes;
      for (const name of limits.keys()) {
        add(name, bytes);
      }
    };
    return {
      charge: (bytes) => {
        const isOver = [...limits].some(([name, max]) => heldBy(name) + bytes > max);
        if (isOver || counters.bodyBytes + bytes > total) {
          counters.bodiesRefused += 1;
          throw isOver ? tooManyOfSender() : tooManyInAll();
        }
        take(bytes);
      },
      release: () => take(-charged),
    };
  };
};

const retryLater = { headers: { 'Retry-After': '1' } };

const tooManyOfSender = (): AppError =>
  new AppError(
    'rate_limited',
    'Too many bytes of your requests are under way at once.',
    retryLater,
  );

const tooManyInAll = (): AppError =>
  new AppError('busy', 'Too many bytes of requests are under way at once.', retryLater);
