import { apiOf } from '../../api/api.ts';
import { taskBack, type BulkTask } from './bulk-task.ts';

const receipt = { Prefer: 'return=minimal' };

/**
 * Applies a task, if the note still has the revision of the task. Returns the task that takes it back; null: another
 * user had restored the note.
 */
export const applyTask = async (companyId: string, task: BulkTask): Promise<BulkTask | null> => {
  const revision = await change(companyId, task);
  return revision === null ? null : taskBack(task, revision);
};

/** Returns the revision of the note after the change; null: a restore that changed nothing. */
const change = async (companyId: string, task: BulkTask): Promise<number | null> => {
  const { action, revision } = task;
  const api = apiOf(companyId);
  const path = { id: task.noteId };
  const header = { 'If-Match': `"${revision}"` };
  if (action.kind === 'delete') {
    await api.delete('/api/notes/{id}', { params: { path, header } });
    return revision + 1;
  }
  if (action.kind === 'restore') {
    // The key identifies a retry: a restore whose response was lost is not taken for another user's.
    const { data, response } = await api.post('/api/notes/{id}/restore', {
      params: { path, header: { ...header, ...receipt, 'Idempotency-Key': task.mutationId } },
      body: {},
    });
    return response.headers.get('note-restored') === 'false' ? null : data.revision;
  }
  const { data } = await api.patch('/api/notes/{id}', {
    params: { path, header: { ...header, ...receipt } },
    body: { edits: [setOf(action)], mutationId: task.mutationId },
  });
  return 'proposal' in data ? revision : data.revision;
};

type FieldAction = Exclude<BulkTask['action'], { readonly kind: 'delete' | 'restore' }>;

const setOf = (action: FieldAction) => {
  switch (action.kind) {
    case 'move':
      return { op: 'set' as const, folder: action.folder };
    case 'tag':
      return { op: 'set' as const, tags: { add: [...action.add], remove: [...action.remove] } };
    case 'archive':
      return { op: 'set' as const, archived: action.archived };
    case 'pin':
      return { op: 'set' as const, pinned: action.pinned };
  }
};
