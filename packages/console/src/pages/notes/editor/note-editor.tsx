import { useState } from 'react';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePageTitle } from '../../../components/use-page-title.ts';
import { textOf, withMine } from '../note-text.ts';
import { takeCursor } from './cursor.ts';
import { discardDraft } from './discard-draft.ts';
import { DraftNotice } from './draft-notice.tsx';
import { draftKeyOf, type DraftName } from './drafts.ts';
import { EditConflict } from './edit-conflict.tsx';
import { EditNotices } from './edit-notices.tsx';
import { NoteForm } from './note-form.tsx';
import { isNew, type EditBase, type EditStart, type Note } from './use-draft-start.ts';
import { useNoteEditing } from './use-note-editing.ts';

type NoteEditorProps = {
  /** The newest version that was loaded; null: a new note that is not saved yet. */
  readonly note: Note | null;
  readonly start: EditStart;
  readonly draftName: DraftName;
  /** Whether there is a place for a draft of it. */
  readonly hasDraft?: boolean;
  /** Of the page; they come and go while the operator writes. */
  readonly notices: React.ReactNode;
  /** What a new note is made from, the way back without saving it, and what follows once it is saved. */
  readonly blank?: {
    readonly base: EditBase;
    readonly cancel: React.ReactNode;
    readonly onCreated: () => void;
  };
};

/** The editor of a note, new or not. It stays as it is while a new note is saved for the first time. */
export const NoteEditor = (props: NoteEditorProps) => {
  const { draftName, hasDraft = true, notices, blank } = props;
  const { editing, handle, conflict, save, send, sentTexts, restart, compare, discard, heading } =
    useNoteEditor(props);
  const { base, text, theirs } = editing;
  const [cursor] = useState(() => takeCursor(base.id));
  if (theirs) {
    return (
      <>
        {notices}
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
    <NoteForm
      key={editing.form}
      ref={handle}
      heading={heading}
      cancel={isNew(base) ? blank?.cancel : <CancelLink note={base} />}
      notices={
        <>
          {notices}
          <EditNotices {...editing} onDiscard={discard} onCompare={compare} />
        </>
      }
      properties={base.properties}
      saved={textOf(base)}
      baseRevision={isNew(base) ? null : base.revision}
      initial={text}
      cursor={editing.form === 0 ? cursor : null}
      {...(isNew(base) && { newNoteId: base.id })}
      draftName={draftName}
      hasDraft={hasDraft}
      error={save.error}
      isPending={save.isPending}
      sentTexts={sentTexts}
      onSave={(next, how) => send({ text: next, base, ...how })}
    />
  );
};

/** The editor's state, its name, and how what is written is given up. */
const useNoteEditor = ({ note, start, draftName, blank }: NoteEditorProps) => {
  const options = { note, start, draftName, ...(blank && { onCreated: blank.onCreated }) };
  const state = useNoteEditing(options);
  const { editing, conflict, handle, restart } = state;
  const { base } = editing;
  const heading = isNew(base) ? 'New note' : `Edit ${base.title === '' ? 'note' : base.title}`;
  usePageTitle(heading);
  const discard = (): void => {
    discardDraft(conflict.current ?? handle.current, draftName);
    const from = note ?? blank?.base ?? base;
    restart(textOf(from), from);
  };
  return { ...state, heading, discard };
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

const CancelLink = ({ note: { companyId, id: noteId } }: { readonly note: EditBase }) => (
  <ButtonLink
    to="/companies/$companyId/notes/$noteId"
    params={{ companyId, noteId }}
    variant="default"
    size="xs"
  >
    Cancel
  </ButtonLink>
);
