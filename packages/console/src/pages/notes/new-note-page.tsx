import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { RequirePermission } from '../../app/require-permission.tsx';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { NoteForm } from './note-form.tsx';
import type { NoteText } from './note-text.ts';

const empty: NoteText = {
  title: '',
  content: '',
  folder: '',
  tags: [],
  pinned: false,
  archived: false,
};

/** Creates a note. */
export const NewNotePage = () => (
  <RequirePermission permission="write">
    <NewNote />
  </RequirePermission>
);

const NewNote = () => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async (body: NoteText) => {
      const id = crypto.randomUUID();
      await apiOf(companyId).put('/api/notes/{id}', {
        params: { path: { id }, header: { 'If-None-Match': '*' } },
        body,
      });
      return id;
    },
    onSuccess: async (noteId) => {
      await client.invalidateQueries({ queryKey: keys.notes(companyId) });
      await navigate({
        to: '/companies/$companyId/notes/$noteId',
        params: { companyId, noteId },
        ignoreBlocker: true,
      });
    },
  });
  return (
    <>
      <PageHeader title="New note" />
      <NoteForm
        saved={empty}
        initial={empty}
        error={create.error}
        isPending={create.isPending}
        onSave={create.mutate}
      />
    </>
  );
};
