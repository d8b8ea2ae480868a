import { ProblemError } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../api/query-keys.ts';
import { applyTask } from './apply-task.ts';
import { countNotes, doneWord, type BulkAction, type BulkTask } from './bulk-task.ts';
import { runTasks, type TasksReport } from './run-tasks.ts';

export type BulkReport = TasksReport<BulkTask, BulkTask> & { readonly action: BulkAction };

export type BulkState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly ended: number; readonly total: number }
  | { readonly kind: 'ended'; readonly report: BulkReport };

const idle: BulkState = { kind: 'idle' };

/** Problems of one note. Any other would befall the next note too: no connection, no session, no permission. */
const ofOneNote = new Set([400, 404, 409, 412, 413, 422]);

const isFatal = (error: unknown): boolean =>
  !(error instanceof ProblemError && ofOneNote.has(error.status));

/** Runs bulk actions on the notes of a company, one at a time. Leaving the page stops them. */
export const useBulk = (companyId: string) => {
  const client = useQueryClient();
  const [state, setState] = useState<BulkState>(idle);
  const stop = useRef(new AbortController());
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      stop.current.abort();
    };
  }, []);
  const run = async (tasks: readonly BulkTask[]): Promise<BulkReport | null> => {
    const [first] = tasks;
    if (!first || state.kind === 'running') {
      return null;
    }
    stop.current = new AbortController();
    setState({ kind: 'running', ended: 0, total: tasks.length });
    const report: BulkReport = {
      action: first.action,
      ...(await runTasks({
        tasks,
        apply: (task) => applyTask(companyId, task),
        isFatal,
        onProgress: (ended) => setState({ kind: 'running', ended, total: tasks.length }),
        signal: stop.current.signal,
      })),
    };
    if (isMounted.current) {
      setState({ kind: 'ended', report });
    } else {
      notifications.show({ message: summaryOf(report) });
    }
    void client.invalidateQueries({ queryKey: keys.notes(companyId) });
    return report;
  };
  return { state, run, stop: () => stop.current.abort(), dismiss: () => setState(idle) };
};

/** "12 notes archived. 3 failed. 5 were not begun." */
export const summaryOf = ({ action, done, failed, left }: BulkReport): string =>
  [
    `${countNotes(done.length)} ${doneWord(action)}.`,
    ...(failed.length > 0 ? [`${failed.length} failed.`] : []),
    ...(left.length > 0 ? [`${left.length} not begun.`] : []),
  ].join(' ');
