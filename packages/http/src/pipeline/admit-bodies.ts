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
  readonly ownBytes: (group: string) => number;
  /** Whether the group stays within its share. */
  readonly isFair: (group: string, bytes: number) => boolean;
  readonly hasRoom: (bytes: number) => boolean;
  /** Reserves bytes; negative numbers release them. */
  readonly reserve: (group: string, bytes: number) => void;
};

const createBudget = (bytesMax: number): Budget => {
  const reservedBy = new Map<string, number>();
  let reserved = 0;
  const ownBytes = (group: string): number => reservedBy.get(group) ?? 0;
  return {
    ownBytes,
    isFair: (group, bytes) => ownBytes(group) === 0 || ownBytes(group) + bytes <= bytesMax / 2,
    hasRoom: (bytes) => reserved === 0 || reserved + bytes <= bytesMax,
    reserve: (group, bytes) => {
      reserved += bytes;
      const own = ownBytes(group) + bytes;
      if (own > 0) {
        reservedBy.set(group, own);
      } else {
        reservedBy.delete(group);
      }
    },
  };
};

type Waiting = {
  readonly group: string;
  readonly bytes: number;
  /** Counts arrivals. */
  readonly order: number;
  readonly admit: () => void;
};

/** The waiting bodies of all groups. */
const createQueues = (budget: Budget) => {
  const queues = new Map<string, Set<Waiting>>();
  /** When each group that waits or is in progress was last admitted, counted in admissions. */
  const lastAdmissions = new Map<string, number>();
  let admissions = 0;
  const lastAdmissionOf = (group: string): number => lastAdmissions.get(group) ?? 0;

  return {
    add: (body: Waiting): void => {
      queues.set(body.group, (queues.get(body.group) ?? new Set()).add(body));
    },
    remove: (body: Waiting): void => {
      const bodies = queues.get(body.group);
      bodies?.delete(body);
      if (bodies?.size === 0) {
        queues.delete(body.group);
      }
    },
    /** The first body of the group that is next. */
    next: (): Waiting | undefined =>
      [...queues.values()]
        .flatMap((bodies) => [...bodies].slice(0, 1))
        .filter(({ group, bytes }) => budget.isFair(group, bytes))
        .toSorted(
          (one, other) =>
            budget.ownBytes(one.group) - budget.ownBytes(other.group) ||
            lastAdmissionOf(one.group) - lastAdmissionOf(other.group) ||
            one.order - other.order,
        )[0],
    noteAdmission: (group: string): void => {
      admissions += 1;
      lastAdmissions.set(group, admissions);
    },
    forgetIdle: (group: string): void => {
      if (budget.ownBytes(group) === 0 && !queues.has(group)) {
        lastAdmissions.delete(group);
      }
    },
  };
};

/**
 * Limits the large bodies in progress, before they are read: a parsed body takes several times its length, and a
 * waiting one stays with its sender. A group (a company) may reserve half of the budget while others use it, so
 * that a flood of one company does not block the bodies of others.
 *
 * The bodies of a group are admitted in order of arrival. Of several groups, the one with the least in progress is
 * next, then the one that was admitted longest ago. The next body gets the room that becomes free, so shorter ones do
 * not overtake it for ever. Only a group at its share lets others pass.
 */
export const bodyAdmission = ({ bytesMax, waitMaxMs }: AdmissionOptions): AdmitBody => {
  const budget = createBudget(bytesMax);
  const queues = createQueues(budget);
  let arrivals = 0;

  const admitWaiting = (): void => {
    for (let next = queues.next(); next && budget.hasRoom(next.bytes); next = queues.next()) {
      queues.remove(next);
      budget.reserve(next.group, next.bytes);
      queues.noteAdmission(next.group);
      next.admit();
    }
  };
  const waitForBudget = (group: string, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queues.remove(entry);
        queues.forgetIdle(group);
        reject(tooManyBodies());
        // It may have kept the room that others need.
        admitWaiting();
      }, waitMaxMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      arrivals += 1;
      const entry = { group, bytes, order: arrivals, admit };
      queues.add(entry);
      admitWaiting();
    });

  return async (group, bytes) => {
    if (bytes <= smallBytesMax) {
      return () => undefined;
    }
    await waitForBudget(group, bytes);
    let isReserved = true;
    return () => {
      if (isReserved) {
        isReserved = false;
        budget.reserve(group, -bytes);
        admitWaiting();
        queues.forgetIdle(group);
      }
    };
  };
};

const tooManyBodies = (): AppError =>
  new AppError('busy', 'Too many large request bodies are in progress.', {
    headers: { 'Retry-After': '1' },
  });
