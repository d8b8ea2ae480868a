import type { BulkReport } from './bulk-report.ts';
import type { BulkAction } from './bulk-task.ts';

/** A bulk action on notes of a company: how far it is, or how it ended. */
export type BulkJob = { readonly companyId: string } & (
  | {
      readonly kind: 'running';
      readonly action: BulkAction;
      readonly ended: number;
      readonly total: number;
      readonly stop: AbortController;
    }
  | { readonly kind: 'ended'; readonly report: BulkReport }
);

const listeners = new Set<() => void>();
let job: BulkJob | null = null;
let bars = 0;

const notify = (): void => {
  for (const listener of listeners) {
    listener();
  }
};

const set = (next: BulkJob | null): void => {
  job = next;
  notify();
};

/** Begins no further change. With a reason, that is displayed with what was done. */
const stop = (reason?: string): void => {
  if (job?.kind === 'running') {
    job.stop.abort(reason);
  }
};

/** The bulk action of this page: one at a time. It outlives the pages that one walks through. */
export const bulkJob = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Null: there is none, or its result was dismissed. */
  current: (): BulkJob | null => job,
  isRunning: (): boolean => job?.kind === 'running',
  set,
  stop,
  /** Stops it and forgets its notes. */
  end: (): void => {
    stop();
    set(null);
  },
  /** Says that the page displays it, until what this returns is called. */
  addBar: (): (() => void) => {
    bars += 1;
    notify();
    return () => {
      bars -= 1;
      notify();
    };
  },
  hasBar: (): boolean => bars > 0,
};
