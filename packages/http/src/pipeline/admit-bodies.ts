import { AppError } from '@commonplace/contracts/core';

export type AdmissionOptions = {
  /** Bytes of large bodies that are worked on at once. A single one may be more. */
  readonly bytesMax: number;
  /** How long a body may wait before it is refused. */
  readonly waitMaxMs: number;
};

/** Waits until there is room for a body of so many bytes; 503 after a while. Gives what makes room again. */
export type AdmitBody = (group: string, bytes: number) => Promise<() => void>;

/** Shorter ones are always admitted: there are at most as many as there are connections. */
export const smallBytesMax = 64 * 1024;

type Room = {
  readonly has: (group: string, bytes: number) => boolean;
  /** Takes room, or gives it back when `bytes` is negative. */
  readonly take: (group: string, bytes: number) => void;
};

const roomFor = (bytesMax: number): Room => {
  const takenBy = new Map<string, number>();
  let taken = 0;
  return {
    has: (group, bytes) => {
      const own = takenBy.get(group) ?? 0;
      const isFair = own === 0 || own + bytes <= bytesMax / 2;
      return taken === 0 || (isFair && taken + bytes <= bytesMax);
    },
    take: (group, bytes) => {
      taken += bytes;
      const own = (takenBy.get(group) ?? 0) + bytes;
      if (own > 0) {
        takenBy.set(group, own);
      } else {
        takenBy.delete(group);
      }
    },
  };
};

type Waiting = { readonly group: string; readonly bytes: number; readonly enter: () => void };

/**
 * Bounds the large bodies that are read at once, before any of them is read: parsed, one takes several times its
 * length. What waits stays with its sender. One group (a company) has half of the room unless it is alone in having
 * any, so that its flood waits and a body of somebody else passes by.
 */
export const bodyAdmission = ({ bytesMax, waitMaxMs }: AdmissionOptions): AdmitBody => {
  const room = roomFor(bytesMax);
  const waiting = new Set<Waiting>();

  const admitWaiting = (): void => {
    for (const next of waiting) {
      if (room.has(next.group, next.bytes)) {
        waiting.delete(next);
        room.take(next.group, next.bytes);
        next.enter();
      }
    }
  };
  const waitForRoom = (group: string, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(place);
        reject(tooMuch());
      }, waitMaxMs);
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const place = { group, bytes, enter };
      waiting.add(place);
    });

  return async (group, bytes) => {
    if (bytes <= smallBytesMax) {
      return () => undefined;
    }
    if (room.has(group, bytes)) {
      room.take(group, bytes);
    } else {
      await waitForRoom(group, bytes);
    }
    let isHeld = true;
    return () => {
      if (isHeld) {
        isHeld = false;
        room.take(group, -bytes);
        admitWaiting();
      }
    };
  };
};

const tooMuch = (): AppError =>
  new AppError('busy', 'Too many large bodies are worked on at once.', {
    headers: { 'Retry-After': '1' },
  });
