import type { Schema } from '@commonplace/client';
import { apiOf } from '../../api/api.ts';
import { taskBack, type BulkTask, type DoneTask } from './bulk-task.ts';
import { RefusedChange } from './refused-change.ts';
import type { Outcome } from './run-tasks.ts';

/** One for all consoles: mutations have random ids. */
const clientId = 'commonplace-console';

/** Deletes notes with one request. A note with another revision than its task is left alone. */
export const deleteNotes = async (
  companyId: string,
  tasks: readonly BulkTask[],
): Promise<readonly Outcome<DoneTask>[]> => {
  const { data } = await apiOf(companyId).post('/api/sync', {
    body: {
      clientId,
      pull: 'none',
      changes: tasks.map(({ mutationId, noteId: id, revision: baseRevision }) => ({
        mutationId,
        id,
        op: 'delete' as const,
        baseRevision,
      })),
    },
  });
  if (!('results' in data)) {
    throw new Error('The notes are deleted in the background.');
  }
  return data.results.flatMap((result, index) => {
    const task = tasks[index];
    return task ? [outcomeOf(task, result)] : [];
  });
};

const outcomeOf = (
  task: BulkTask,
  { status, revision, error }: Schema<'SyncChangeResult'>,
): Outcome<DoneTask> => {
  switch (status) {
    case 'applied':
      return {
        result: { noteId: task.noteId, back: taskBack(task, revision ?? task.revision + 1) },
      };
    // Somebody else has deleted it.
    case 'unchanged':
      return { result: { noteId: task.noteId, back: null } };
    default:
      return {
        error: new RefusedChange(
          error?.code ?? 'precondition_failed',
          error?.detail ?? 'The note has changed.',
        ),
      };
  }
};
