import { createKeyedCounter } from './keyed-counter.ts';

export type ByteBudgetOptions = {
  /** Bytes in use at once. A single reservation may be larger, and is then alone. */
  readonly bytesMax: number;
  /** Bytes that one group may have in use, by default all. Its first reservation may be larger. */
  readonly groupBytesMax?: number;
  /** How long a reservation may wait; without limit by default. */
  readonly waitMaxMs?: number;
  /** The error for a reservation that waits too long. */
  readonly rejection?: () => Error;
};

export type ByteBudget = {
  /** Waits until so many bytes are free for the group. Returns their release, which may be called more than once. */
  readonly reserve: (group: string, bytes: number) => Promise<() => void>;
  readonly reservedBytes: () => number;
};

type Waiting = {
  readonly group: string;
  readonly bytes: number;
  /** The number of its arrival. */
  readonly order: number;
  readonly admit: () => void;
};

/** Counts the bytes in use, in all and by group. */
const createRoom = (bytesMax: number, groupBytesMax: number) => {
  const own = createKeyedCounter();
  let reserved = 0;
  return {
    own,
    reservedBytes: (): number => reserved,
    hasRoom: (bytes: number): boolean => reserved === 0 || reserved + bytes <= bytesMax,
    isFair: ({ group, bytes }: Pick<Waiting, 'group' | 'bytes'>): boolean =>
      own.get(group) === 0 || own.get(group) + bytes <= groupBytesMax,
    /** Takes bytes; negative numbers free them. */
    take: (group: string, bytes: number): void => {
      reserved += bytes;
      own.add(group, bytes);
    },
  };
};

type Room = ReturnType<typeof createRoom>;

const firstOf = (queue: ReadonlySet<Waiting>): readonly Waiting[] => {
  for (const first of queue) {
    return [first];
  }
  return [];
};

/** The waiting reservations of all groups. */
const createQueues = ({ own, isFair }: Pick<Room, 'own' | 'isFair'>) => {
  const queues = new Map<string, Set<Waiting>>();
  /** When each group that waits or has a reservation was last admitted, counted in admissions. */
  const lastAdmissions = new Map<string, number>();
  let admissions = 0;
  const lastAdmissionOf = (group: string): number => lastAdmissions.get(group) ?? 0;

  return {
    add: (waiting: Waiting): void => {
      queues.set(waiting.group, (queues.get(waiting.group) ?? new Set()).add(waiting));
    },
    remove: (waiting: Waiting): void => {
      const ofGroup = queues.get(waiting.group);
      ofGroup?.delete(waiting);
      if (ofGroup?.size === 0) {
        queues.delete(waiting.group);
      }
    },
    /** The first reservation of the group that is next. */
    next: (): Waiting | undefined =>
      [...queues.values()]
        .flatMap(firstOf)
        .filter(isFair)
        .toSorted(
          (one, other) =>
            own.get(one.group) - own.get(other.group) ||
            lastAdmissionOf(one.group) - lastAdmissionOf(other.group) ||
            one.order - other.order,
        )[0],
    noteAdmission: (group: string): void => {
      admissions += 1;
      lastAdmissions.set(group, admissions);
    },
    forgetIdle: (group: string): void => {
      if (own.get(group) === 0 && !queues.has(group)) {
        lastAdmissions.delete(group);
      }
    },
  };
};

/**
 * Creates a budget of bytes that several groups (companies) share. The reservations of a group are admitted in order of
 * arrival. Of several groups, the one with the least in use is next, then the one that was admitted longest ago. Bytes
 * that become free are kept for the next reservation, so that smaller ones do not overtake it again and again. A group
 * that has reached its share is passed over until it releases bytes.
 */
export const createByteBudget = ({
  bytesMax,
  groupBytesMax = bytesMax,
  waitMaxMs,
  rejection = () => new Error('No bytes became free in time'),
}: ByteBudgetOptions): ByteBudget => {
  const room = createRoom(bytesMax, groupBytesMax);
  const queues = createQueues(room);
  let arrivals = 0;

  const admitWaiting = (): void => {
    for (let next = queues.next(); next && room.hasRoom(next.bytes); next = queues.next()) {
      queues.remove(next);
      room.take(next.group, next.bytes);
      queues.noteAdmission(next.group);
      next.admit();
    }
  };
  const waitForRoom = (group: string, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queues.remove(waiting);
        queues.forgetIdle(group);
        reject(rejection());
        // Others may fit into the room that was kept for it.
        admitWaiting();
      };
      const timer = waitMaxMs === undefined ? undefined : setTimeout(giveUp, waitMaxMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      arrivals += 1;
      const waiting = { group, bytes, order: arrivals, admit };
      queues.add(waiting);
      admitWaiting();
    });

  return {
    reservedBytes: room.reservedBytes,
    reserve: async (group, bytes) => {
      await waitForRoom(group, bytes);
      return once(() => {
        room.take(group, -bytes);
        admitWaiting();
        queues.forgetIdle(group);
      });
    },
  };
};

/** A release that may be called more than once. */
const once = (release: () => void): (() => void) => {
  let isReleased = false;
  return () => {
    if (!isReleased) {
      isReleased = true;
      release();
    }
  };
};
