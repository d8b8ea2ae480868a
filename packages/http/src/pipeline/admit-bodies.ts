import { createByteBudget } from '@commonplace/concurrency';
import { AppError } from '@commonplace/contracts/core';

export type AdmissionOptions = {
  /** Bytes of large bodies in progress at once. A single one may be larger. */
  readonly bytesMax: number;
  /** How long a body may wait before it is rejected. */
  readonly waitMaxMs: number;
};

/** Waits until a body of so many bytes is admitted; rejects with `busy` after a while. Returns its release. */
export type AdmitBody = (group: string, bytes: number) => Promise<() => void>;

/** Bodies up to this size are always admitted; the number of connections bounds them. */
export const smallBytesMax = 64 * 1024;

/**
 * Limits the large bodies in progress, before they are read: a parsed body takes several times its length, and a
 * waiting one stays with its sender. A group (a company) may reserve half of the budget while others use it, so
 * that a flood of one company does not block the bodies of others.
 */
export const bodyAdmission = ({ bytesMax, waitMaxMs }: AdmissionOptions): AdmitBody => {
  const { reserve } = createByteBudget({
    bytesMax,
    groupBytesMax: bytesMax / 2,
    waitMaxMs,
    rejection: tooManyBodies,
  });
  return async (group, bytes) => (bytes <= smallBytesMax ? () => undefined : reserve(group, bytes));
};

const tooManyBodies = (): AppError =>
  new AppError('busy', 'Too many large request bodies are in progress.');
