import { ProblemError, type Schema } from '@commonplace/client';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { noteQuery } from '../../api/note-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { RequirePermission } from '../../app/require-permission.tsx';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { EditConflict } from './edit-conflict.tsx';
import { NoteForm } from './note-form.tsx';
import { textOf, withMine, type NoteText } from './note-text.ts';

type Note = Schema<'NoteData'>;

/** The revision being edited, the edited text, and what another writer saved in the meantime. */
type Editing = { readonly base: Note; readonly text: NoteText; readonly theirs: Note | null };

/** Edits a note based on the loaded revision; newer changes of others are never overwritten. */
export const EditNotePage = () => (
  <RequirePermission permission="write">
    <EditNote />
  </RequirePermission>
);

const EditNote = () => {
  const companyId = useCompanyId();
  const { noteId = '' } = useParams({ strict: false });
  const { data: note } = useSuspenseQuery(noteQuery(companyId, noteId));
  // A new note gets a new editor state.
  return <Editor key={note.id} note={note} />;
};

const Editor = ({ note }: { readonly note: Note }) => {
  const [{ base, text, theirs }, setEditing] = useState<Editing>({
    base: note,
    text: textOf(note),
    theirs: null,
  });
  const save = useSave((newer, written) => setEditing({ base, text: written, theirs: newer }));
  const goOn = (next: NoteText): void => {
    save.reset();
    setEditing({ base: theirs ?? base, text: next, theirs: null });
  };
  const mine = theirs ? withMine({ base: textOf(base), mine: text, theirs: textOf(theirs) }) : text;
  return (
    <>
      <PageHeader title={`Edit ${base.title === '' ? 'note' : base.title}`} />
      {theirs ? (
        <EditConflict
          base={base}
          theirs={theirs}
          mine={text}
          error={save.error}
          isPending={save.isPending}
          onKeepMine={() => save.mutate({ text: mine, base: theirs })}
          onTakeTheirs={() => goOn(textOf(theirs))}
          onEditOn={(content) => goOn({ ...mine, content })}
        />
      ) : (
        <NoteForm
          key={base.revision}
          saved={textOf(base)}
          initial={text}
          error={save.error}
          isPending={save.isPending}
          onSave={(next) => save.mutate({ text: next, base })}
        />
      )}
    </>
  );
};

/** The base names note and revision, so that no text is saved to another note. */
type Save = { readonly text: NoteText; readonly base: Note };

const useSave = (onConflict: (theirs: Note, text: NoteText) => void) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ text, base }: Save): Promise<Note | null> => {
      try {
        await apiOf(base.companyId).put('/api/notes/{id}', {
          params: { path: { id: base.id }, header: { 'If-Match': `"${base.revision}"` } },
          // Properties are data of API clients and stay as they are.
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
    onSuccess: async (theirs, { text, base: { companyId, id: noteId } }) => {
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
