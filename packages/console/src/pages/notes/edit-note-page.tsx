import { ProblemError, type Schema } from '@commonplace/client';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { noteQuery } from '../../api/note-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { Only } from '../../app/only.tsx';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { EditConflict } from './edit-conflict.tsx';
import { NoteForm, type NoteText } from './note-form.tsx';

type Note = Schema<'NoteData'>;

/** The note as it was when its editing began, and what somebody saved meanwhile. */
type Editing = { readonly base: Note; readonly text: NoteText; readonly theirs: Note | null };

/** Edits a note on top of the revision it showed; what others saved meanwhile is never overwritten. */
export const EditNotePage = () => (
  <Only may="write">
    <EditNote />
  </Only>
);

const EditNote = () => {
  const companyId = useCompanyId();
  const { noteId = '' } = useParams({ strict: false });
  const { data: note } = useSuspenseQuery(noteQuery(companyId, noteId));
  const [editing, setEditing] = useState<Editing>({
    base: note,
    text: textOf(note),
    theirs: null,
  });
  const save = useSave(companyId, noteId, (theirs, text) =>
    setEditing({ ...editing, text, theirs }),
  );
  const { base, text, theirs } = editing;
  const goOn = (next: NoteText): void =>
    setEditing({ base: theirs ?? base, text: next, theirs: null });
  return (
    <>
      <PageHeader title={`Edit ${base.title === '' ? 'note' : base.title}`} />
      {theirs ? (
        <EditConflict
          base={base.content}
          theirs={theirs}
          mine={text}
          isPending={save.isPending}
          onKeepMine={() => save.mutate({ text, base: theirs })}
          onTakeTheirs={() => goOn(textOf(theirs))}
          onEditOn={(content) => goOn({ ...text, content })}
        />
      ) : (
        <NoteForm
          key={`${base.revision} ${text.content.length}`}
          initial={text}
          error={save.error}
          isPending={save.isPending}
          onSave={(next) => save.mutate({ text: next, base })}
        />
      )}
    </>
  );
};

const textOf = ({ title, content, folder, tags, pinned, archived }: Note): NoteText => ({
  title,
  content,
  folder,
  tags,
  pinned,
  archived,
});

type Save = { readonly text: NoteText; readonly base: Note };

const useSave = (
  companyId: string,
  noteId: string,
  onConflict: (theirs: Note, text: NoteText) => void,
) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ text, base }: Save): Promise<Note | null> => {
      try {
        await apiOf(companyId).put('/api/notes/{id}', {
          params: { path: { id: noteId }, header: { 'If-Match': `"${base.revision}"` } },
          // Properties are the client's own data: what it wrote there stays.
          body: { ...text, properties: base.properties },
        });
        return null;
      } catch (error) {
        const current = error instanceof ProblemError && error.problem['current'];
        if (current) {
          return current as Note;
        }
        throw error;
      }
    },
    onSuccess: async (theirs, { text }) => {
      if (theirs) {
        onConflict(theirs, text);
        return;
      }
      await client.invalidateQueries({ queryKey: keys.notes(companyId) });
      await navigate({
        to: '/companies/$companyId/notes/$noteId',
        params: { companyId, noteId },
        ignoreBlocker: true,
      });
    },
  });
};
