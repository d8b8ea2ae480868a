import { setTimeout as pause } from 'node:timers/promises';
import type { CompanyId } from '@commonplace/contracts/core';
import type { WriteRequest, WriteResult } from './change.ts';

/**
 * A change costs more than the event loop can give while the lock of the company is held. Its request leaves the batch,
 * and is written again when the thread has done the work.
 */
export class CostlyWorkError extends Error {
  /** The request that leaves; null: not known yet. */
  readonly request: WriteRequest | null;

  constructor(request: WriteRequest | null = null) {
    super('This change needs the thread, before the lock is taken');
    this.name = 'CostlyWorkError';
    this.request = request;
  }
}

/** Writes a request; rejects with `CostlyWorkError` if it needs the thread first. */
type Write = (request: WriteRequest) => Promise<WriteResult>;

/** A request of a company that may need the thread. */
export type Costly = {
  readonly companyId: CompanyId;
  readonly request: WriteRequest;
  readonly write: Write;
};

/** The result of a request, and the time that the thread took for it and the company has not rested for yet. */
export type Timed = { readonly result: WriteResult; readonly ms: number };

/** After work that takes longer than this, a company leaves the thread to others for as long as it took beyond it. */
export const unrestedMs = 250;

/** Leaves the thread to other companies, after it worked for this time. */
export const restAfter = (ms: number): Promise<void> =>
  pause(Math.max(0, ms - unrestedMs), undefined, { ref: false });

/** Null: a note changed meanwhile, so that the work has to be done again. */
export const unlessCostly = (error: unknown): null => {
  if (error instanceof CostlyWorkError) {
    return null;
  }
  throw error;
};
