import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { applyTask } from './apply-task.ts';
import { bulkJob } from './bulk-job.ts';
import { isFatal, summaryOf, type BulkReport } from './bulk-report.ts';
import type { BulkTask, DoneTask } from './bulk-task.ts';
import { deleteNotes } from './delete-notes.ts';
import { runTasks } from './run-tasks.ts';

type RunBulk = {
  readonly client: QueryClient;
  readonly companyId: string;
  readonly tasks: readonly BulkTask[];
  /** The report of which this is the rest. */
  readonly before?: BulkReport;
};

/** Runs a bulk action; null if there is nothing to do, or another one is running. */
export const runBulk = async (options: RunBulk): Promise<BulkReport | null> => {
  const { client, companyId, tasks, before } = options;
  const action = before?.action ?? tasks[0]?.action;
  if (!action || tasks.length === 0 || bulkJob.isRunning()) {
    return null;
  }
  const done = before?.done ?? [];
  const failed = before?.failed.filter(({ error }) => !isFatal(error)) ?? [];
  const past = done.length + failed.length;
  const stop = new AbortController();
  const show = (ended: number): void =>
    bulkJob.set({
      kind: 'running',
      companyId,
      action,
      ended: past + ended,
      total: past + tasks.length,
      stop,
    });
  // One that was ended for good is not displayed again.
  const isOver = (): boolean => {
    const job = bulkJob.current();
    return job?.kind !== 'running' || job.stop !== stop;
  };
  const confirmUnload = (event: BeforeUnloadEvent): void => {
    if (!isOver()) {
      event.preventDefault();
    }
  };
  show(0);
  window.addEventListener('beforeunload', confirmUnload);
  const now = await runTasks({
    tasks,
    ...requestsOf(companyId, tasks),
    isFatal,
    onProgress: (ended) => isOver() || show(ended),
    signal: stop.signal,
  });
  window.removeEventListener('beforeunload', confirmUnload);
  const report: BulkReport = {
    action,
    done: [...done, ...now.done],
    failed: [...failed, ...now.failed],
    left: now.left,
  };
  if (!isOver()) {
    end(companyId, report, stop.signal.reason);
    void client.invalidateQueries({ queryKey: keys.notes(companyId) });
  }
  return report;
};

/** Synchronisation deletes many notes at once. Its other changes would send whole notes. */
const deletedTogether = 50;

const requestsOf = (
  companyId: string,
  tasks: readonly BulkTask[],
): Pick<Parameters<typeof runTasks<BulkTask, DoneTask>>[0], 'together' | 'apply'> =>
  tasks.every(({ action }) => action.kind === 'delete')
    ? { together: deletedTogether, apply: (batch) => deleteNotes(companyId, batch) }
    : {
        together: 1,
        apply: (batch) =>
          Promise.all(
            batch.map(async (task) => ({
              result: { noteId: task.noteId, back: await applyTask(companyId, task) },
            })),
          ),
      };

const end = (companyId: string, report: BulkReport, reason: unknown): void => {
  bulkJob.set({ kind: 'ended', companyId, report });
  if (typeof reason === 'string') {
    notifications.show({ message: `${reason} ${summaryOf(report)}` });
  }
};
