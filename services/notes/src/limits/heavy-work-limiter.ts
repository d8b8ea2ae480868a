import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { createShortLivedMap } from '@commonplace/concurrency';

export type HeavyWorkLimiterOptions = {
  /** Pieces of heavy work of one company that are done at once. */
  readonly runningMax: number;
  /** How many may wait; beyond it callers are told to come again. */
  readonly waitingMax: number;
};

/** Does heavy work of a company when it is its turn. */
export type LimitHeavyWork = <Result>(
  companyId: CompanyId,
  work: () => Promise<Result>,
) => Promise<Result>;

type CompanySlots = { running: number; readonly waiting: (() => void)[] };

/**
 * Lets each company do only so much heavy work at once: searches, large pushes, pulls of everything. A
 * flood of one company so queues before its own door; what others ask meets a process and a database
 * that have no more than that to do.
 */
export const createHeavyWorkLimiter = ({
  runningMax,
  waitingMax,
}: HeavyWorkLimiterOptions): LimitHeavyWork => {
  const lines = createShortLivedMap<CompanyId, CompanySlots>();

  const enter = async (line: CompanySlots): Promise<void> => {
    if (line.running < runningMax) {
      line.running += 1;
      return;
    }
    if (line.waiting.length >= waitingMax) {
      throw new AppError('busy', 'Too much heavy work of this company is waiting.', {
        headers: { 'Retry-After': '1' },
      });
    }
    await new Promise<void>((resolve) => line.waiting.push(resolve));
  };

  /** A turn that ends goes to the first in line. */
  const leave = (companyId: CompanyId, line: CompanySlots): void => {
    const next = line.waiting.shift();
    if (next) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) {
      lines.delete(companyId);
    }
  };

  return async (companyId, work) => {
    const line = lines.get(companyId) ?? { running: 0, waiting: [] };
    lines.set(companyId, line);
    await enter(line);
    try {
      return await work();
    } finally {
      leave(companyId, line);
    }
  };
};

/** Gives parts of something heavy to make, all of them in one turn. */
export async function* limitStream<Part>(
  limitHeavyWork: LimitHeavyWork,
  companyId: CompanyId,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part, void> {
  const over = Promise.withResolvers<void>();
  await new Promise<void>((begin, refuse) => {
    const work = () => {
      begin();
      return over.promise;
    };
    limitHeavyWork(companyId, work).catch(refuse);
  });
  try {
    yield* parts;
  } finally {
    over.resolve();
  }
}
