import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { noteQuery } from '../../../api/note-queries.ts';
import { isDeleted } from '../../../api/problems.ts';
import { sessionQuery } from '../../../api/session-queries.ts';
import { RequirePermission } from '../../../app/session/require-permission.tsx';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePageTitle } from '../../../components/use-page-title.ts';
import { EditConflict } from './edit-conflict.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import { discardDraft } from './discard-draft.ts';
import { DraftNotice } from './draft-notice.tsx';
import { draftKeyOf, hasChanges, nameOfKey, wordsOfDrafts, type DraftName } from './drafts.ts';
import { EditNotices } from './edit-notices.tsx';
import { KeptDrafts } from './kept-drafts.tsx';
import { DraftsOfTabs } from './left-drafts.tsx';
import { OpenElsewhere } from './open-elsewhere.tsx';
import { useDraftPlace, type DraftPlace } from './use-draft-place.ts';
import { useDraftStart, type EditStart, type Note } from './use-draft-start.ts';
import { useNoteEditing } from './use-note-editing.ts';
import { NoteForm } from './note-form.tsx';
import { textOf, withMine } from '../note-text.ts';
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
  return (
    <>
      {isDeleted(error) && <DeletedNotice note={note} />}
      {/* A new note gets a new editor state. */}
      <DraftOrNote key={note.id} note={note} />
    </>
  );
};

const DraftOrNote = ({ note }: { readonly note: Note }) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { id: noteId, companyId } = note;
  // Who wrote it keeps it, also if another operator signs in in another tab.
  const [operatorId] = useState(session.operator.id);
  const owned = { operatorId, companyId, noteId };
  const place = useDraftPlace(draftKeyOf(owned), hasChanges);
  return place && <StartedEditor note={note} place={place} name={nameOfKey(owned, place.key)} />;
};

type StartedEditorProps = {
  readonly note: Note;
  readonly place: DraftPlace;
  readonly name: DraftName;
};

const StartedEditor = ({ note, place: { isElsewhere, left }, name }: StartedEditorProps) => {
  const start = useDraftStart(note, name);
  const [drafts] = useState(() => wordsOfDrafts(left));
  return (
    <>
      {isElsewhere && (
        <OpenElsewhere title="This note is being edited in another tab">
          Each tab keeps a draft of its own. What you save in one is merged into the other.
        </OpenElsewhere>
      )}
      <DraftsOfTabs drafts={drafts} />
      <Editor note={note} start={start} draftName={name} />
    </>
  );
};

type EditorProps = {
  readonly note: Note;
  readonly start: EditStart;
  readonly draftName: DraftName;
};

const Editor = (props: EditorProps) => {
  const { note, draftName } = props;
  const { editing, handle, conflict, save, send, sentTexts, restart, compare } =
    useNoteEditing(props);
  const { base, text, theirs } = editing;
  const heading = `Edit ${base.title === '' ? 'note' : base.title}`;
  usePageTitle(heading);
  const discard = (): void => {
    discardDraft(conflict.current ?? handle.current, draftName);
    restart(textOf(note), note);
  };
  if (theirs) {
    return (
      <>
        <PageHeader title={heading} />
        {editing.draftAt !== null && <DraftNotice onDiscard={discard} />}
        <EditorConflict
          {...{ editing, conflict, save, send, restart, draftName }}
          theirs={theirs}
        />
      </>
    );
  }
  return (
    <>
      <EditNotices {...editing} onDiscard={discard} onCompare={compare} />
      <NoteForm
        key={editing.form}
        ref={handle}
        heading={heading}
        cancel={<CancelLink note={base} />}
        properties={base.properties}
        saved={textOf(base)}
        baseRevision={base.revision}
        initial={text}
        draftName={draftName}
        error={save.error}
        isPending={save.isPending}
        sentTexts={sentTexts}
        onSave={(next, how) => send({ text: next, base, ...how })}
      />
    </>
  );
};

type EditorConflictProps = Pick<
  ReturnType<typeof useNoteEditing>,
  'editing' | 'conflict' | 'save' | 'send' | 'restart'
> & { readonly theirs: Note; readonly draftName: DraftName };

const EditorConflict = (props: EditorConflictProps) => {
  const { editing, conflict, save, send, restart, theirs, draftName } = props;
  const { base, text, chosen } = editing;
  const mine = withMine({ base: textOf(base), mine: text, theirs: textOf(theirs) });
  const onto = { base: theirs, isStaying: false, updatesLinks: false };
  return (
    <EditConflict
      ref={conflict}
      base={base}
      theirs={theirs}
      mine={mine}
      error={save.error}
      isPending={save.isPending}
      draft={{ key: draftKeyOf(draftName), text, chosen }}
      onSave={(content) => send({ text: { ...mine, content }, ...onto })}
      onTakeTheirs={() => restart(textOf(theirs), theirs)}
      onEditOn={(content) => restart({ ...mine, content }, theirs)}
    />
  );
};

const CancelLink = ({ note: { companyId, id: noteId } }: { readonly note: Note }) => (
  <ButtonLink
    to="/companies/$companyId/notes/$noteId"
    params={{ companyId, noteId }}
    variant="default"
    size="xs"
  >
    Cancel
  </ButtonLink>
);
