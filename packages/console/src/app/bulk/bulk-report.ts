import { ProblemError } from '@commonplace/client';
import { countNotes } from '../../components/count-notes.ts';
import { doneWord, type BulkAction, type BulkTask, type DoneTask } from './bulk-task.ts';
import { RefusedChange } from './refused-change.ts';
import type { TasksReport } from './run-tasks.ts';

/** How a bulk action ended. */
export type BulkReport = TasksReport<BulkTask, DoneTask> & { readonly action: BulkAction };

/** Problems of one note. Any other would befall the next note too: no connection, no session, no permission. */
const ofOneNote = new Set([400, 404, 409, 412, 413, 422]);

/** Whether the error would befall every other note too. */
export const isFatal = (error: unknown): boolean =>
  !(
    error instanceof RefusedChange ||
    (error instanceof ProblemError && ofOneNote.has(error.status))
  );

/** What can be gone on with: what was not begun, and what failed for a reason that is not the note's. */
export const restOf = ({ failed, left }: BulkReport): readonly BulkTask[] => [
  ...failed.filter(({ error }) => isFatal(error)).map(({ task }) => task),
  ...left,
];

/** What takes back the changes that were made. */
export const tasksBack = ({ done }: Pick<BulkReport, 'done'>): readonly BulkTask[] =>
  done.flatMap(({ back }) => back ?? []);

/** "12 notes deleted. 2 already were. 3 failed. 5 not begun." */
export const summaryOf = ({ action, done, failed, left }: BulkReport): string => {
  const changed = tasksBack({ done }).length;
  const before = done.length - changed;
  return [
    `${countNotes(changed)} ${doneWord(action)}.`,
    ...(before > 0 ? [`${before} already ${before === 1 ? 'was' : 'were'}.`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed.`] : []),
    ...(left.length > 0 ? [`${left.length} not begun.`] : []),
  ].join(' ');
};
