import { AppError } from '@commonplace/contracts';
import { networkOfAddress } from '@commonplace/identity';
import { createKeyedCounter } from '@commonplace/concurrency';
import { createProgress } from './body-progress.ts';

export type BodyLimits = {
  /** Bytes buffered at once: in total, per company, per credential and per address (/64 for IPv6). */
  readonly total: number;
  readonly perCompany: number;
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

/** The sender of a body. Public routes have no credential; a request may concern no company. */
type BodySender = {
  readonly address: string;
  readonly credentialId: string | null;
  readonly companyId: string | null;
};

/** The share of one body in the budget. */
export type BodyAccount = {
  /** Notes that bytes of the body arrived. */
  readonly arrived: (bytes: number) => void;
  /** Reserves bytes: 429 when the sender has too many in the buffer, 503 when all senders together have. */
  readonly charge: (bytes: number) => void;
  /** The body is complete: it keeps its place. */
  readonly complete: () => void;
  /** Releases all bytes. Can be called more than once. */
  readonly release: () => void;
};

/** Opens the account of a body. `onLost` is called when the body loses its place; its bytes are released. */
export type BodyBudget = (sender: BodySender, onLost: (reason: AppError) => void) => BodyAccount;

/** A body that is not complete. */
type OpenBody = {
  /** The sums it counts in. */
  readonly names: ReadonlySet<string>;
  readonly bytesPerSecond: () => number;
  chargedBytes: number;
  /** Why it lost its place. */
  lostBy: AppError | null;
  readonly onLost: (reason: AppError) => void;
};

/** The sum that a limit bounds, and the limit. */
type Limit = readonly [name: string, bytesMax: number];

/** A body of 32 MiB that is slower is not complete within the 30 seconds it may take. */
const slowBytesPerSecond = 1024 * 1024;

/** The sum of all bodies. */
const everyone = 'all';

/** The sums of buffered bytes, and the bodies that can lose their place. */
const createBuffered = (counters: BodyCounters) => {
  const sums = createKeyedCounter();
  /** In order of arrival. */
  const open = new Set<OpenBody>();
  const add = (body: OpenBody, bytes: number): void => {
    body.chargedBytes += bytes;
    counters.bodyBytes += bytes;
    for (const name of body.names) {
      sums.add(name, bytes);
    }
  };
  return {
    open,
    add,
    isOver: ([name, bytesMax]: Limit, bytes: number): boolean => sums.get(name) + bytes > bytesMax,
    slowest: (name: string): OpenBody | undefined =>
      [...open]
        .filter((body) => body.names.has(name) && body.chargedBytes > 0)
        .map((body) => ({ body, rate: body.bytesPerSecond() }))
        .filter(({ rate }) => rate < slowBytesPerSecond)
        .toSorted((one, other) => one.rate - other.rate)[0]?.body,
    latest: (): OpenBody | undefined => [...open].findLast((body) => body.chargedBytes > 0),
    /** Takes the place of a body. */
    lose: (body: OpenBody, reason: AppError): void => {
      body.lostBy = reason;
      counters.bodiesRefused += 1;
      open.delete(body);
      add(body, -body.chargedBytes);
      body.onLost(reason);
    },
  };
};

type Buffered = ReturnType<typeof createBuffered>;

/** Makes room for bytes of a body below limits that several share; the body itself may lose its place. */
const makeRoom = (
  buffered: Buffered,
  body: OpenBody,
  { shared, bytes }: { readonly shared: readonly Limit[]; readonly bytes: number },
): void => {
  const isOver = (limit: Limit): boolean => body.lostBy === null && buffered.isOver(limit, bytes);
  for (const limit of shared) {
    const [name] = limit;
    const nextSlow = () => (isOver(limit) ? buffered.slowest(name) : undefined);
    for (let slow = nextSlow(); slow; slow = nextSlow()) {
      buffered.lose(slow, tooSlow());
    }
  }
  for (const limit of shared) {
    if (limit[0] !== everyone && isOver(limit)) {
      buffered.lose(body, senderLimitReached());
    }
    while (limit[0] === everyone && isOver(limit)) {
      const isNew = body.chargedBytes === 0;
      buffered.lose((isNew ? null : buffered.latest()) ?? body, totalLimitReached());
    }
  }
};

/**
 * Creates the budget for buffered bodies. Bytes are charged as they arrive and not by `Content-Length`, which
 * costs its sender nothing. A credential beyond its limit is rejected. Where a limit that several share is reached,
 * slow bodies below it lose their place, the slowest first. If none is slow, the sender is rejected at the limit of
 * its company or address; beyond the limit for all, the body that came last is.
 */
export const createBodyBudget = (
  limits: BodyLimits,
  counters: BodyCounters,
  { monotonicMs }: { readonly monotonicMs: () => number },
): BodyBudget => {
  const buffered = createBuffered(counters);

  return ({ address, credentialId, companyId }, onLost) => {
    const own: Limit[] =
      credentialId === null ? [] : [[`credential ${credentialId}`, limits.perCredential]];
    const shared: Limit[] = [
      [`address ${networkOfAddress(address)}`, limits.perAddress],
      ...(companyId === null ? [] : [[`company ${companyId}`, limits.perCompany] as const]),
      [everyone, limits.total],
    ];
    const progress = createProgress(monotonicMs);
    const body: OpenBody = {
      names: new Set([...own, ...shared].map(([name]) => name)),
      bytesPerSecond: progress.bytesPerSecond,
      chargedBytes: 0,
      lostBy: null,
      onLost,
    };
    buffered.open.add(body);
    const complete = (): void => void buffered.open.delete(body);
    return {
      arrived: progress.add,
      complete,
      charge: (bytes) => {
        if (body.lostBy === null && own.some((limit) => buffered.isOver(limit, bytes))) {
          buffered.lose(body, senderLimitReached());
        }
        makeRoom(buffered, body, { shared, bytes });
        if (body.lostBy !== null) {
          throw body.lostBy;
        }
        buffered.add(body, bytes);
      },
      release: () => {
        complete();
        buffered.add(body, -body.chargedBytes);
      },
    };
  };
};

const senderLimitReached = (): AppError =>
  new AppError(
    'rate_limited',
    'You or your company have too many body bytes in flight; retry after 1 s.',
    { headers: { 'Retry-After': '1' } },
  );

const totalLimitReached = (): AppError =>
  new AppError('busy', 'Too many bytes of request bodies are in flight; retry after 1 s.');

const tooSlow = (): AppError =>
  new AppError('busy', 'The body arrived too slowly while others waited; retry after 1 s.');
