import type { Schema } from '@commonplace/client';
import { apiOf } from '../../../api/api.ts';
import { confirm } from '../../../components/confirm.tsx';
import { CopiesLeft } from '../copies-left.tsx';
import { useNoteChange } from '../use-note-change.ts';
import { showDeleted } from './show-deleted.ts';

/** What is known of a note that is read or listed. */
type Note = Pick<Schema<'NoteData'>, 'companyId' | 'id' | 'revision' | 'title'>;

const nameOf = ({ title }: Note): string => (title === '' ? 'this note' : title);

/** Deletes a note after a confirmation, and says so with the way back. */
export const useDeleteNote = () => {
  const { mutate, error, isPending, variables } = useNoteChange(
    ({ companyId, id, revision }: Note) =>
      apiOf(companyId).delete('/api/notes/{id}', {
        params: { path: { id }, header: { 'If-Match': `"${revision}"` } },
      }),
    showDeleted,
  );
  const confirmDelete = (note: Note, onConfirm?: () => void): void =>
    confirm({
      title: `Delete ${nameOf(note)}?`,
      text: (
        <>
          Agents that synchronise delete it too. You can restore it later.
          <CopiesLeft note={note} />
        </>
      ),
      confirm: 'Delete note',
      onConfirm: () => {
        onConfirm?.();
        mutate(note);
      },
    });
  /** Which note was not deleted. */
  const refused = error && variables ? `${nameOf(variables)} was not deleted.` : null;
  return { confirmDelete, error, refused, isPending };
};
