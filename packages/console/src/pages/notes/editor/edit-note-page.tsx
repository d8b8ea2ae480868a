import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { noteQuery } from '../../../api/note-queries.ts';
import { isDeleted } from '../../../api/problems.ts';
import { sessionQuery } from '../../../api/session-queries.ts';
import { RequirePermission } from '../../../app/session/require-permission.tsx';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { DeletedNotice } from './deleted-notice.tsx';
import { draftKeyOf, hasChanges, nameOfKey, wordsOfDrafts, type DraftName } from './drafts.ts';
import { KeptDrafts } from './kept-drafts.tsx';
import { DraftsOfTabs } from './left-drafts.tsx';
import { NoteElsewhere } from './open-elsewhere.tsx';
import { useDraftPlace, type DraftPlace } from './use-draft-place.ts';
import { useDraftStart, type Note } from './use-draft-start.ts';
import { NoteEditor } from './note-editor.tsx';
import { useLiveNotes } from '../use-live-notes.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId/edit');

/** Edits a note based on the loaded revision; newer changes of others are merged or shown, never overwritten. */
export const EditNotePage = () => {
  const { noteId } = route.useParams();
  return (
    <RequirePermission permission="write" kept={<KeptDrafts key={noteId} noteId={noteId} />}>
      <EditNote />
    </RequirePermission>
  );
};

const EditNote = () => {
  const companyId = useCompanyId();
  const { noteId } = route.useParams();
  const { data: note, error } = useSuspenseQuery(noteQuery(companyId, noteId));
  useLiveNotes(companyId);
  // A new note gets a new editor state.
  return <DraftOrNote key={note.id} note={note} isGone={isDeleted(error)} />;
};

type DraftOrNoteProps = { readonly note: Note; readonly isGone: boolean };

const DraftOrNote = (props: DraftOrNoteProps) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { id: noteId, companyId } = props.note;
  // Who wrote it keeps it, also if another operator signs in in another tab.
  const [operatorId] = useState(session.operator.id);
  const owned = { operatorId, companyId, noteId };
  const place = useDraftPlace(draftKeyOf(owned), hasChanges);
  return place && <StartedEditor {...props} place={place} name={nameOfKey(owned, place.key)} />;
};

type StartedEditorProps = DraftOrNoteProps & {
  readonly place: DraftPlace;
  readonly name: DraftName;
};

const StartedEditor = ({ note, isGone, place, name }: StartedEditorProps) => {
  const { isElsewhere, left } = place;
  const start = useDraftStart(note, name);
  const [drafts] = useState(() => wordsOfDrafts(left));
  return (
    <>
      <DraftsOfTabs drafts={drafts} />
      <NoteEditor
        note={note}
        start={start}
        draftName={name}
        notices={
          <>
            {isGone && <DeletedNotice note={note} />}
            {isElsewhere && <NoteElsewhere />}
          </>
        }
      />
    </>
  );
};
