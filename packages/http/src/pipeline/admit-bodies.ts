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

type Budget = {
  readonly fits: (group: string, bytes: number) => boolean;
  /** Reserves bytes; negative numbers release them. */
  readonly reserve: (group: string, bytes: number) => void;
};

const createBudget = (bytesMax: number): Budget => {
  const reservedBy = new Map<string, number>();
  let reserved = 0;
  return {
    fits: (group, bytes) => {
      const own = reservedBy.get(group) ?? 0;
      const isFair = own === 0 || own + bytes <= bytesMax / 2;
      return reserved === 0 || (isFair && reserved + bytes <= bytesMax);
    },
    reserve: (group, bytes) => {
      reserved += bytes;
      const own = (reservedBy.get(group) ?? 0) + bytes;
      if (own > 0) {
        reservedBy.set(group, own);
      } else {
        reservedBy.delete(group);
      }
    },
  };
};

type Waiting = { readonly group: string; readonly bytes: number; readonly admit: () => void };

/**
 * Limits the large bodies in progress, before they are read: a parsed body takes several times its length, and a
 * waiting one stays with its sender. A group (a company) may reserve half of the budget while others use it, so
 * that a flood of one company does not block the bodies of others.
 */
export const bodyAdmission = ({ bytesMax, waitMaxMs }: AdmissionOptions): AdmitBody => {
  const budget = createBudget(bytesMax);
  const waiting = new Set<Waiting>();

  const admitWaiting = (): void => {
    for (const next of waiting) {
      if (budget.fits(next.group, next.bytes)) {
        waiting.delete(next);
        budget.reserve(next.group, next.bytes);
        next.admit();
      }
    }
  };
  const waitForBudget = (group: string, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(entry);
        reject(tooManyBodies());
      }, waitMaxMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const entry = { group, bytes, admit };
      waiting.add(entry);
    });

  return async (group, bytes) => {
    if (bytes <= smallBytesMax) {
      return () => undefined;
    }
    if (budget.fits(group, bytes)) {
      budget.reserve(group, bytes);
    } else {
      await waitForBudget(group, bytes);
    }
    let isReserved = true;
    return () => {
      if (isReserved) {
        isReserved = false;
        budget.reserve(group, -bytes);
        admitWaiting();
      }
    };
  };
};

const tooManyBodies = (): AppError =>
  new AppError('busy', 'Too many large request bodies are in progress.', {
    headers: { 'Retry-After': '1' },
  });
