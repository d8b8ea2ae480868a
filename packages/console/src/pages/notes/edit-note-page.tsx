import { Alert, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { noteQuery } from '../../api/note-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { RequirePermission } from '../../app/require-permission.tsx';
import { useCompanyId } from '../../app/use-company-id.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/skeletons.tsx';
import { EditConflict } from './edit-conflict.tsx';
import { removeDraft } from './editor/drafts.ts';
import { mergeNoteTexts } from './editor/merge-note-texts.ts';
import { useDraftStart, type EditStart, type Note } from './editor/use-draft-start.ts';
import { useSaveNote } from './editor/use-save-note.ts';
import { NoteForm, type NoteFormHandle } from './note-form.tsx';
import { changedFields, textOf, withMine, type NoteText } from './note-text.ts';
import { useLiveNotes } from './use-live-notes.ts';

/** Edits a note based on the loaded revision; newer changes of others are merged or shown, never overwritten. */
export const EditNotePage = () => (
  <RequirePermission permission="write">
    <EditNote />
  </RequirePermission>
);

const EditNote = () => {
  const companyId = useCompanyId();
  const { noteId = '' } = useParams({ strict: false });
  const { data: note } = useSuspenseQuery(noteQuery(companyId, noteId));
  useLiveNotes(companyId);
  // A new note gets a new editor state.
  return <DraftOrNote key={note.id} note={note} />;
};

const DraftOrNote = ({ note }: { readonly note: Note }) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const operatorId = session.operator.id;
  const draftName = { operatorId, companyId: note.companyId, noteId: note.id };
  const start = useDraftStart(note, draftName);
  return start ? <Editor note={note} start={start} operatorId={operatorId} /> : <PageSkeleton />;
};

type EditorProps = {
  readonly note: Note;
  readonly start: EditStart;
  readonly operatorId: string;
};

const Editor = ({ note, start, operatorId }: EditorProps) => {
  const [{ base, text, theirs, draftAt }, setEditing] = useState(start);
  const [form, setForm] = useState(0);
  const [merged, setMerged] = useState<Note | null>(null);
  const [clash, setClash] = useState<Note | null>(null);
  const handle = useRef<NoteFormHandle>(null);
  const draftName = { operatorId, companyId: note.companyId, noteId: note.id };
  const save = useSaveNote({
    draftName,
    read: () => handle.current?.read() ?? null,
    onConflict: (newer, written, onto) =>
      setEditing({ base: onto, text: written, theirs: newer, draftAt: null }),
    onStayed: (onto) => {
      setEditing({ base: onto, text: textOf(onto), theirs: null, draftAt: null });
      setClash(null);
    },
  });
  /** Starts the form again with this text. */
  const goOn = (next: NoteText): void => {
    save.reset();
    setClash(null);
    setEditing({ base: theirs ?? base, text: next, theirs: null, draftAt: null });
    setForm(form + 1);
  };
  const bringIn = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    // What is written during a merge is merged again.
    for (;;) {
      const mine = handle.current?.read();
      if (!mine) {
        return;
      }
      const result = await mergeNoteTexts(
        { base: textOf(base), mine, theirs: textOf(note) },
        signal,
      );
      if (signal.aborted) {
        return;
      }
      if (!result) {
        setClash(note);
        return;
      }
      if (handle.current && changedFields(mine, handle.current.read()).length === 0) {
        handle.current.bringIn(result);
        setEditing({ base: note, text: result, theirs: null, draftAt });
        setMerged(note);
        setClash(null);
        return;
      }
    }
  });
  const isBehind = note.revision > base.revision && !theirs && !save.isPending;
  useEffect(() => {
    if (!isBehind) {
      return undefined;
    }
    const stopping = new AbortController();
    void bringIn(stopping.signal);
    return () => stopping.abort();
  }, [isBehind, note, base]);
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
          onKeepMine={() => save.mutate({ text: mine, base: theirs, isStaying: false })}
          onTakeTheirs={() => goOn(textOf(theirs))}
          onEditOn={(content) => goOn({ ...mine, content })}
        />
      ) : (
        <>
          <Notices
            draftAt={draftAt}
            merged={merged}
            clash={clash}
            onDiscard={() => {
              removeDraft(draftName);
              setEditing({ base: note, text: textOf(note), theirs: null, draftAt: null });
              setForm(form + 1);
              notifications.show({ message: 'Draft discarded.' });
            }}
            onCompare={(newer) =>
              setEditing({ base, text: handle.current?.read() ?? text, theirs: newer, draftAt })
            }
          />
          <NoteForm
            key={form}
            ref={handle}
            saved={textOf(base)}
            baseRevision={base.revision}
            initial={text}
            draftName={draftName}
            error={save.error}
            isPending={save.isPending}
            onSave={(next, isStaying) => save.mutate({ text: next, base, isStaying })}
          />
        </>
      )}
    </>
  );
};

type NoticesProps = {
  readonly draftAt: string | null;
  readonly merged: Note | null;
  readonly clash: Note | null;
  readonly onDiscard: () => void;
  readonly onCompare: (newer: Note) => void;
};

/** What happened to the text besides the operator's own typing. */
const Notices = ({ draftAt, merged, clash, onDiscard, onCompare }: NoticesProps) => (
  <div role="status">
    {draftAt !== null && (
      <Alert mb="md" title="Your unsaved draft is back">
        <Group justify="space-between">
          <span>It was not saved before this page was closed or loaded again.</span>
          <Button variant="default" size="xs" onClick={onDiscard}>
            Discard draft
          </Button>
        </Group>
      </Alert>
    )}
    {clash ? (
      <Alert mb="md" color="orange" title="Someone else changed the same lines">
        <Group justify="space-between">
          <span>
            <ActorName actor={clash.updatedBy} /> saved revision {clash.revision}. Saving will ask
            which to keep.
          </span>
          <Button variant="default" size="xs" onClick={() => onCompare(clash)}>
            Compare
          </Button>
        </Group>
      </Alert>
    ) : (
      merged && (
        <Alert mb="md" color="teal" title="Changes of someone else were added">
          <ActorName actor={merged.updatedBy} /> saved revision {merged.revision}, which your text
          now includes.
        </Alert>
      )
    )}
  </div>
);
