import { availableParallelism } from 'node:os';
import { createKeyedFairLimiter, createKeyedLimiter } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import type { Deps } from './deps.ts';

/** As in the notes service: one company may use half of the processors for its lists. */
const lists = { runningMax: Math.max(1, Math.floor(availableParallelism() / 2)), waitingMax: 100 };

/**
 * A change holds a connection while it waits for the lock of its company. The queue is fair by caller: the operator who
 * revokes a key that floods it is next.
 */
const changes = { runningMax: 3, waitingMax: 500 };

/** The limits of the lists and of the changes of each company in this process. */
export const createLimits = (): Pick<Deps, 'limitLists' | 'limitChanges'> => ({
  limitLists: createKeyedLimiter<CompanyId>({
    ...lists,
    rejection: () => tooMuchWaiting('reads of lists'),
  }),
  limitChanges: createKeyedFairLimiter<CompanyId>({
    ...changes,
    rejection: () => tooMuchWaiting('changes'),
  }),
});

const tooMuchWaiting = (what: string): AppError =>
  new AppError('busy', `Too many ${what} of this company are waiting.`);
