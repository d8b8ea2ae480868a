import type { ServerResponse } from 'node:http';
import { AppError } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { companyOf } from './company-of.ts';
import { createKeyedCounter } from '@commonplace/concurrency';

export type StreamBounds = {
  readonly perCredential: number;
  readonly perCompany: number;
};

type StreamRequest = {
  readonly credentialId: string;
  readonly caller: Caller;
  readonly res: ServerResponse;
};

/** Counts a stream until its response closes; 429 at the limit. */
export type LimitStreams = (stream: StreamRequest) => void;

/** The `Retry-After`: by then a stream whose client disconnected has closed. */
const waitSeconds = 5;

/**
 * Creates the limit on open event streams and long polls, per credential and per company. Each holds a
 * connection, and no request rate bounds what never ends.
 */
export const createStreamLimit = ({ perCredential, perCompany }: StreamBounds): LimitStreams => {
  const open = createKeyedCounter();

  return ({ credentialId, caller, res }) => {
    const company = companyOf(caller);
    const bounds = new Map([
      [`credential ${credentialId}`, perCredential],
      ...(company === null ? [] : [[`company ${company}`, perCompany] as const]),
    ]);
    if ([...bounds].some(([name, max]) => open.get(name) >= max)) {
      throw new AppError('rate_limited', 'Too many event streams are open; close one first.', {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    }
    for (const name of bounds.keys()) {
      open.add(name, 1);
    }
    res.once('close', () => {
      for (const name of bounds.keys()) {
        open.add(name, -1);
      }
    });
  };
};
