import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { RequirePermission } from '../../app/require-permission.tsx';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { readDraft, removeDraft, writeDraft } from './editor/drafts.ts';
import { NoteForm, type NoteFormHandle } from './note-form.tsx';
import { changedFields, type NoteText } from './note-text.ts';

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

type Creation = { readonly text: NoteText; readonly isStaying: boolean };

type NewNoteRequest = { readonly companyId: string; readonly id: string; readonly body: NoteText };

const createNote = async ({ companyId, id, body }: NewNoteRequest): Promise<Schema<'NoteData'>> => {
  const { data } = await apiOf(companyId).put('/api/notes/{id}', {
    params: { path: { id }, header: { 'If-None-Match': '*' } },
    body,
  });
  return data as Schema<'NoteData'>;
};

const NewNote = () => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const draftName = { operatorId: session.operator.id, companyId, noteId: null };
  const [initial] = useState(() => readDraft(draftName)?.text ?? empty);
  // The same id for every attempt, so that a retry does not create a second note.
  const [id] = useState(() => crypto.randomUUID());
  const handle = useRef<NoteFormHandle>(null);
  const create = useMutation({
    mutationFn: async ({ text: body }: Creation) => createNote({ companyId, id, body }),
    onSuccess: async ({ revision: baseRevision }, { text, isStaying }) => {
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      const present = handle.current?.read();
      const hasNewer = present !== undefined && changedFields(text, present).length > 0;
      if (hasNewer) {
        // What was written since goes on as a draft of the note that there is now.
        const savedAt = new Date().toISOString();
        const name = { ...draftName, noteId: id };
        writeDraft(name, { baseRevision, base: text, text: present, savedAt });
      }
      if (present) {
        await navigate({
          to: `/companies/$companyId/notes/$noteId${hasNewer || isStaying ? '/edit' : ''}`,
          params: { companyId, noteId: id },
          ignoreBlocker: true,
        });
      }
      // After the form is gone, which may still be writing its draft.
      removeDraft(draftName);
    },
  });
  return (
    <>
      <PageHeader title="New note" />
      <NoteForm
        ref={handle}
        saved={empty}
        baseRevision={null}
        initial={initial}
        draftName={draftName}
        error={create.error}
        isPending={create.isPending}
        onSave={(text, isStaying) => create.mutate({ text, isStaying })}
      />
    </>
  );
};
