import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { RequirePermission } from '../../app/require-permission.tsx';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { readDraft, removeDraft } from './editor/drafts.ts';
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
  const { data: session } = useSuspenseQuery(sessionQuery);
  const draftName = { operatorId: session.operator.id, companyId, noteId: null };
  const [initial] = useState(() => readDraft(draftName)?.text ?? empty);
  // The same id for every attempt, so that a retry does not create a second note.
  const [id] = useState(() => crypto.randomUUID());
  const create = useMutation({
    mutationFn: async (body: NoteText) => {
      await apiOf(companyId).put('/api/notes/{id}', {
        params: { path: { id }, header: { 'If-None-Match': '*' } },
        body,
      });
      return id;
    },
    onSuccess: async (noteId) => {
      removeDraft(draftName);
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
        baseRevision={null}
        initial={initial}
        draftName={draftName}
        error={create.error}
        isPending={create.isPending}
        onSave={(text) => create.mutate(text)}
      />
    </>
  );
};
