import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { noteQuery } from '../../../api/note-queries.ts';
import { isDeleted, isNotFound } from '../../../api/problems.ts';
import { sessionQuery } from '../../../api/session-queries.ts';
import { RequirePermission } from '../../../app/session/require-permission.tsx';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { PageSkeleton } from '../../../components/skeletons.tsx';
import { usePageTitle } from '../../../components/use-page-title.ts';
import { isId } from '../../../components/is-id.ts';
import { forgetBegun, isBegun } from './begun-notes.ts';
import { DeletedNotice } from './deleted-notice.tsx';
import { draftKeyOf, moveDraft, nameOfKey, readDraft, type DraftName } from './drafts.ts';
import { KeptDrafts } from './kept-drafts.tsx';
import { NoteEditor } from './note-editor.tsx';
import { changedFields, type NoteText } from '../note-text.ts';
import { earlierId, UnsavedNewNotes, useUnsavedNewNotes } from './unsaved-new-notes.tsx';
import { NoteElsewhere, OpenElsewhere } from './open-elsewhere.tsx';
import { useOwnDraft } from './use-own-draft.ts';
import { newNote, type EditStart } from './use-draft-start.ts';
import { showAddress } from './show-address.ts';
import { useDraftPlace } from './use-draft-place.ts';
import { useLiveNotes } from '../use-live-notes.ts';

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
    return <SavedOrNew draftName={draftName} />;
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

/** Another tab may have saved the note that the address names: it is that note, and no second one. */
const SavedOrNew = ({ draftName }: { readonly draftName: DraftName }) => {
  const { companyId, newId = '' } = draftName;
  const { folder } = route.useSearch();
  // Once it is a new note here, it stays in its editor as it is saved.
  const [isNewHere, setNewHere] = useState(
    () => !isId(newId) || isBegun(newId) || readDraft(draftName) !== null,
  );
  useEffect(() => forgetBegun(newId), [newId]);
  const { isPending, data, error } = useQuery({
    ...noteQuery(companyId, newId),
    enabled: !isNewHere,
  });
  if (isNewHere) {
    return <NewNote draftName={draftName} />;
  }
  if (data || isDeleted(error)) {
    return (
      <Navigate
        to="/companies/$companyId/notes/$noteId"
        params={{ companyId, noteId: newId }}
        replace
      />
    );
  }
  if (isNotFound(error)) {
    // The address was shared before the note was saved: each visitor begins a note of their own.
    return (
      <Navigate
        to="/companies/$companyId/notes/new"
        params={{ companyId }}
        search={folder === undefined ? {} : { folder }}
        replace
      />
    );
  }
  if (!isPending) {
    setNewHere(true);
  }
  return <PageSkeleton />;
};

const NewNote = ({ draftName }: { readonly draftName: DraftName }) => {
  const { companyId, operatorId } = draftName;
  const unsaved = useUnsavedNewNotes(draftKeyOf(draftName));
  const { folder = '' } = route.useSearch();
  const [start] = useState(() => startOf(draftName, folder));
  const { id } = start.base;
  const [isCreated, setCreated] = useState(false);
  const { data: note, error } = useQuery({ ...noteQuery(companyId, id), enabled: isCreated });
  const created = useCreatedDraft({ operatorId, companyId, noteId: id, isCreated, draftName });
  useOwnAddress(isCreated, { companyId, noteId: id });
  return (
    <>
      {isCreated && <LiveNotes companyId={companyId} />}
      <NoteEditor
        note={note ?? null}
        start={start}
        draftName={created.draftName}
        hasDraft={isCreated || !unsaved.isFull || start.draftAt !== null}
        notices={
          <>
            {created.isElsewhere && <NoteElsewhere />}
            {!isCreated && <UnsavedNewNotes unsaved={unsaved} />}
            {note && isDeleted(error) && <DeletedNotice note={note} />}
          </>
        }
        blank={{
          base: start.base,
          cancel: <CancelLink companyId={companyId} folder={folder} />,
          onCreated: () => setCreated(true),
        }}
      />
    </>
  );
};

type CreatedDraft = {
  readonly operatorId: string;
  readonly companyId: string;
  readonly noteId: string;
  readonly isCreated: boolean;
  readonly draftName: DraftName;
};

/** Where the draft is: that of a new note until it is created and this tab has a place for that of the note. */
const useCreatedDraft = ({ isCreated, draftName, ...note }: CreatedDraft) => {
  const place = useDraftPlace(isCreated ? draftKeyOf(note) : null, () => false);
  const name = place ? nameOfKey(note, place.key) : draftName;
  const move = useEffectEvent(() => moveDraft(draftName, name));
  const isPlaced = place !== null;
  useEffect(() => {
    if (isPlaced) {
      move();
    }
  }, [isPlaced]);
  return { draftName: name, isElsewhere: place?.isElsewhere === true };
};

const editor = '/companies/$companyId/notes/$noteId/edit';

/** A note that is created on this page has its own address, also after the router has written that of the page again. */
const useOwnAddress = (
  isCreated: boolean,
  params: { readonly companyId: string; readonly noteId: string },
): void => {
  const router = useRouter();
  const present = useLocation();
  const [pathname] = useState(present.pathname);
  const { href } = router.buildLocation({ to: editor, params });
  // Before the browser can leave the page.
  useLayoutEffect(() => {
    if (isCreated && window.location.pathname === pathname) {
      showAddress(href);
    }
  }, [isCreated, pathname, href, present]);
};

/** Keeps the note on the page up to date. */
const LiveNotes = ({ companyId }: { readonly companyId: string }) => {
  useLiveNotes(companyId);
  return null;
};

type CancelLinkProps = { readonly companyId: string; readonly folder: string };

const CancelLink = ({ companyId, folder }: CancelLinkProps) => (
  <ButtonLink
    to="/companies/$companyId/notes"
    params={{ companyId }}
    search={folder === '' ? {} : { folder }}
    variant="default"
    size="xs"
  >
    Cancel
  </ButtonLink>
);

/** Where a new note starts: from the draft of an earlier visit, if there is one with anything in it. */
const startOf = (draftName: DraftName, folder: string): EditStart => {
  const draft = readDraft(draftName);
  const { newId } = draftName;
  // Reused after a reload and in another tab, so that nothing creates a duplicate.
  const id = draft?.id ?? (newId !== undefined && isId(newId) ? newId : crypto.randomUUID());
  // What is chosen already is no unsaved work.
  const given = draft?.base ?? { ...empty, folder };
  const base = newNote({ companyId: draftName.companyId, id }, given);
  const isDraft = draft !== null && changedFields(given, draft.text).length > 0;
  return {
    base,
    text: isDraft ? draft.text : given,
    theirs: null,
    draftAt: isDraft ? draft.savedAt : null,
    chosen: null,
    sent: draft?.sent ?? [],
  };
};
