import type { ServerResponse } from 'node:http';
import { streamInSlot } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';

/** Reads stored content of so many bytes, which the caller knows and has not read. */
type ReadStored = <Result>(bytes: number, read: () => Promise<Result>) => Promise<Result>;

/** What reads stored content: a request, or a job with limits of its own. */
export type Reader = { readonly read: ReadStored };

/** The queues and budgets of a service, in which the work of its requests waits. */
export type WorkLimits = {
  /** Runs heavy work that holds so many bytes, in a slot of its company. */
  readonly heavy: <Result>(
    companyId: CompanyId,
    heldBytes: number,
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** Reads stored content in a slot for reads of its company. */
  readonly read: <Result>(
    companyId: CompanyId,
    bytes: number,
    read: () => Promise<Result>,
  ) => Promise<Result>;
  /** The same for work that has a slot. */
  readonly readInSlot: ReadStored;
  /** Reads of no more bytes need no slot. */
  readonly freeBytes: number;
};

/**
 * Where a request waits. Whatever has waited checks access again before it runs, and throws when the caller may no longer
 * do it (401, 403, 409) or has gone. Work that has a slot takes no second one.
 */
export type Work<State> = {
  /** Reads within the limits of the company and the process; up to `freeBytes` at once. */
  readonly read: <Result>(
    bytes: number,
    read: () => Promise<Result>,
    freeBytes?: number,
  ) => Promise<Result>;
  /** As `read` without the check, for what this request has written. */
  readonly readWritten: ReadStored;
  /** Runs heavy work, with the reader of its slot. */
  readonly heavy: <Result>(
    work: (inSlot: Reader) => Promise<Result>,
    heldBytes?: number,
  ) => Promise<Result>;
  /** Streams parts as one heavy work. */
  readonly stream: <Part>(parts: AsyncIterable<Part>) => AsyncGenerator<Part, void>;
  /** The check alone, for what waits elsewhere; returns the current caller and company. */
  readonly recheck: () => Promise<State>;
};

/** Whose work it is. */
type Waiting<State> = {
  readonly recheck: () => Promise<State>;
  readonly res: Pick<ServerResponse, 'closed'>;
};

/**
 * For work that has waited and has not begun: nobody wants its result when the client has disconnected, and it must not
 * keep others waiting.
 */
export const assertConnected = ({ closed }: Pick<ServerResponse, 'closed'>): void => {
  if (closed) {
    throw new AppError('busy', 'The client disconnected while the request waited.');
  }
};

/** The work of a request. Requests without a company do not wait. */
export const workOf = <State>(
  limits: WorkLimits | undefined,
  companyId: CompanyId | null,
  { recheck, res }: Waiting<State>,
): Work<State> => {
  const { heavy, read, readInSlot, freeBytes } =
    limits === undefined || companyId === null ? unlimited : limits;
  const id = companyId as CompanyId;
  const checked =
    <Result>(run: () => Promise<Result>) =>
    async () => {
      await recheck();
      return run();
    };
  const ifConnected =
    <Result>(run: () => Promise<Result>) =>
    async () => {
      assertConnected(res);
      return checked(run)();
    };
  const inSlot: Reader = { read: (bytes, run) => readInSlot(bytes, checked(run)) };
  return {
    recheck,
    read: (bytes, run, free = freeBytes) =>
      bytes > free ? read(id, bytes, ifConnected(run)) : run(),
    readWritten: (bytes, run) => (bytes > freeBytes ? read(id, bytes, run) : run()),
    heavy: (run, heldBytes = 0) =>
      heavy(
        id,
        heldBytes,
        ifConnected(() => run(inSlot)),
      ),
    stream: (parts) => streamInSlot((run) => heavy(id, 0, ifConnected(run)), parts),
  };
};

const unlimited: WorkLimits = {
  heavy: (_companyId, _heldBytes, work) => work(),
  read: (_companyId, _bytes, read) => read(),
  readInSlot: (_bytes, read) => read(),
  freeBytes: Infinity,
};
