import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sessionQuery } from '../../../api/session-queries.ts';
import { RequirePermission } from '../../../app/session/require-permission.tsx';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePageTitle } from '../../../components/use-page-title.ts';
import { discardDraft } from './discard-draft.ts';
import { DraftNotice } from './draft-notice.tsx';
import { draftKeyOf, readDraft, type Draft, type DraftName } from './drafts.ts';
import { KeptDrafts } from './kept-drafts.tsx';
import { NoteForm, type NoteFormHandle } from './note-form.tsx';
import { changedFields, type NoteText } from '../note-text.ts';
import { earlierId, UnsavedNewNotes, useUnsavedNewNotes } from './unsaved-new-notes.tsx';
import { OpenElsewhere } from './open-elsewhere.tsx';
import { useOwnDraft } from './use-own-draft.ts';
import { useCreateNote } from './use-create-note.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/new');

const empty: NoteText = {
  title: '',
  content: '',
  folder: '',
  tags: [],
  pinned: false,
  archived: false,
};

/** Creates a note. The address says which of those that were begun and not saved it goes on with. */
export const NewNotePage = () => {
  const { draft } = route.useSearch();
  const newId = draft === earlierId ? undefined : draft;
  return (
    <RequirePermission
      permission="write"
      kept={<KeptDrafts key={draft} noteId={null} {...(newId ? { newId } : {})} />}
    >
      <OwnNewNote key={draft} newId={newId} />
    </RequirePermission>
  );
};

/** One and the same new note is edited in one tab: another one would save it a second time. */
const OwnNewNote = ({ newId }: { readonly newId: string | undefined }) => {
  const companyId = useCompanyId();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Who wrote it keeps it, also if another operator signs in in another tab.
  const [operatorId] = useState(session.operator.id);
  const draftName = { operatorId, companyId, noteId: null, ...(newId ? { newId } : {}) };
  const isOwn = useOwnDraft(draftKeyOf(draftName));
  usePageTitle('New note');
  if (isOwn) {
    return <NewNote draftName={draftName} />;
  }
  return (
    isOwn === false && (
      <>
        <PageHeader title="New note" />
        <OpenElsewhere title="This new note is being edited in another tab">
          Go on with it there, or close that tab to go on here.
        </OpenElsewhere>
        <ButtonLink to="/companies/$companyId/notes/new" params={{ companyId }} search={{}}>
          Begin another note
        </ButtonLink>
      </>
    )
  );
};

const NewNote = ({ draftName }: { readonly draftName: DraftName }) => {
  const { companyId } = draftName;
  const unsaved = useUnsavedNewNotes(draftKeyOf(draftName));
  const { folder = '' } = route.useSearch();
  // What is chosen already is no unsaved work.
  const [given] = useState(() => readDraft(draftName)?.base ?? { ...empty, folder });
  const [start, setStart] = useState(() => startOf(given, readDraft(draftName)));
  const handle = useRef<NoteFormHandle>(null);
  const create = useCreateNote(draftName, () => handle.current);
  const discard = (): void => {
    discardDraft(handle.current, draftName);
    create.reset();
    setStart({ text: given, isDraft: false });
  };
  return (
    <>
      <UnsavedNewNotes unsaved={unsaved} />
      <div role="status">{start.isDraft && <DraftNotice onDiscard={discard} />}</div>
      <NoteForm
        key={start.isDraft ? 'draft' : 'new'}
        ref={handle}
        heading="New note"
        cancel={
          <ButtonLink
            to="/companies/$companyId/notes"
            params={{ companyId }}
            search={folder === '' ? {} : { folder }}
            variant="default"
            size="xs"
          >
            Cancel
          </ButtonLink>
        }
        saved={given}
        baseRevision={null}
        initial={start.text}
        draftName={draftName}
        hasDraft={!unsaved.isFull || start.isDraft}
        error={create.error}
        isPending={create.isPending}
        onSave={(text, { isStaying }) => create.mutate({ text, isStaying })}
      />
    </>
  );
};

type NewNoteStart = { readonly text: NoteText; readonly isDraft: boolean };

/** Where a new note starts: from the draft of an earlier visit, if there is one with anything in it. */
const startOf = (given: NoteText, draft: Draft | null): NewNoteStart =>
  draft && changedFields(given, draft.text).length > 0
    ? { text: draft.text, isDraft: true }
    : { text: given, isDraft: false };
