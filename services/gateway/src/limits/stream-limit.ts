import type { ServerResponse } from 'node:http';
import { AppError } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';

export type StreamBounds = {
  readonly perCredential: number;
  readonly perCompany: number;
};

type StreamRequest = {
  readonly credentialId: string;
  readonly caller: Caller;
  readonly res: ServerResponse;
};

/** Counts a stream until its answer ends; 429 when there are as many already. */
export type LimitStreams = (opening: StreamRequest) => void;

/** Seconds after which it is worth another try: a stream that was cut off is noticed by then. */
const waitSeconds = 5;

/**
 * Bounds the event streams and long polls that are open at once at this gateway, per credential and per
 * company: each holds a connection, and no rate of requests bounds what never ends.
 */
export const createStreamLimit = ({ perCredential, perCompany }: StreamBounds): LimitStreams => {
  const open = new Map<string, number>();
  const countOf = (name: string): number => open.get(name) ?? 0;

  return ({ credentialId, caller, res }) => {
    const company = companyOf(caller);
    const bounds = new Map([
      [`credential ${credentialId}`, perCredential],
      ...(company === null ? [] : [[`company ${company}`, perCompany] as const]),
    ]);
    if ([...bounds].some(([name, max]) => countOf(name) >= max)) {
      throw new AppError('rate_limited', 'Too many event streams are open; close one first.', {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    }
    for (const name of bounds.keys()) {
      open.set(name, countOf(name) + 1);
    }
    res.once('close', () => {
      for (const name of bounds.keys()) {
        const left = countOf(name) - 1;
        if (left > 0) {
          open.set(name, left);
        } else {
          open.delete(name);
        }
      }
    });
  };
};

/** The company a stream is of: an operator has to have named it, unless there is only one. */
const companyOf = (caller: Caller): string | null => {
  if (caller.kind === 'agent') {
    return caller.companyId;
  }
  const [only] = (caller.kind === 'operator' && caller.companies) || [];
  return only?.companyId ?? null;
};
