import { useForm } from '@mantine/form';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { useImperativeHandle, useRef, type Ref } from 'react';
import { useLeaveGuard } from '../../../app/use-leave-guard.ts';
import type { EditorHandle } from './code-editor.tsx';
import { cursorOf, type Cursor } from './cursor.ts';
import type { DraftName } from './drafts.ts';
import { EditorBar } from './editor-bar.tsx';
import { EditorPanes } from './editor-panes.tsx';
import { LinkUpdates, useLinkUpdates } from './link-updates.tsx';
import { LazyMarkdownEditor } from './lazy-markdown-editor.ts';
import { NoteDetails } from './note-details.tsx';
import { NoteTitle } from './note-title.tsx';
import { SaveProblem } from './save-problem.tsx';
import { wordsOf } from './words-of.ts';
import type { DraftHandle, KeptOnLeaving } from './use-draft.ts';
import { useNoteDraft } from './use-note-draft.ts';
import { usePaneView } from './use-pane-view.ts';
import { useFocusMode } from './use-focus-mode.ts';
import { useSaveAgain } from './use-save-again.ts';
import classes from './note-form.module.css';
import { changedFields, type NoteText } from '../note-text.ts';
import { toggleTask } from '../markdown/task-toggle.ts';

/** What a page does with the form of a note. */
export type NoteFormHandle = DraftHandle & {
  readonly read: () => NoteText;
  /** Applies a text that includes changes of others. */
  readonly bringIn: (text: NoteText) => void;
  /** The text is saved and the page is being left, which takes a while: what is kept of what is written meanwhile. Null: it stays. */
  readonly leave: (kept: KeptOnLeaving | null) => void;
  /** Where the operator writes in the content; null: the focus is elsewhere. */
  readonly cursor: () => Cursor | null;
};

type SaveOptions = {
  readonly isStaying: boolean;
  /** Whether a new title is also that in the links of other notes. */
  readonly updatesLinks: boolean;
};

type NoteFormProps = {
  /** What is edited. */
  readonly heading: string;
  /** The way back without saving. */
  readonly cancel: React.ReactNode;
  /** What happened to the note. It is below the bar: one that appears moves no button from under the pointer. */
  readonly notices: React.ReactNode;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** The saved text; anything else is unsaved work. */
  readonly saved: NoteText;
  readonly baseRevision: number | null;
  readonly initial: NoteText;
  /** Where the operator was writing in the content on the page before; null: nowhere. */
  readonly cursor?: Cursor | null;
  readonly draftName: DraftName;
  /** The id of a new note, which its draft keeps. */
  readonly newNoteId?: string;
  /** Whether there is a place for a draft of it. */
  readonly hasDraft?: boolean;
  /** What was sent to be saved over the base. */
  readonly sentTexts?: () => readonly NoteText[];
  readonly error: unknown;
  readonly isPending: boolean;
  /** Saves and leaves the page, or saves and stays. */
  readonly onSave: (text: NoteText, how: SaveOptions) => void;
  readonly ref?: Ref<NoteFormHandle>;
};

const previewMs = 150;

const noProperties = {};

/**
 * The form of a note: title and text, and the rest beside them. Unsaved changes survive a reload, and leaving them has to be
 * confirmed.
 */
export const NoteForm = (props: NoteFormProps) => {
  const { heading, cancel, notices, properties = noProperties, isPending, baseRevision } = props;
  const { form, editor, readWords, update, save, onToggleTask, links, draft, again } =
    useNoteForm(props);
  const { hasFailed, isReadOnly } = again;
  const [view, setView] = usePaneView();
  const focus = useFocusMode();
  return (
    <form onSubmit={form.onSubmit(() => save(false))}>
      <EditorBar
        heading={heading}
        state={{ ...draft, isPending, hasFailed, isReadOnly, isNew: baseRevision === null }}
        view={view}
        onView={setView}
        focus={focus}
        cancel={cancel}
      />
      {notices}
      <div className={classes['layout']} data-view={view}>
        <div className={classes['main']}>
          <NoteTitle
            {...props}
            form={form}
            onGoOn={() => editor.current?.view()?.focus()}
            isNext={() => Boolean(editor.current?.view()) && view !== 'preview' && !links.isOffered}
          />
          <LinkUpdates title={props.saved.title} links={links} />
          {/* Above the text, because its end may be far below. */}
          <SaveProblem form={form} again={again} draft={draft} readWords={readWords} />
          <EditorPanes
            view={view}
            editor={editor}
            preview={form.values.content}
            folder={form.values.folder}
            onToggleTask={onToggleTask}
          >
            <LazyMarkdownEditor
              ref={editor}
              label="Content"
              initial={form.values.content}
              cursor={props.cursor ?? null}
              onChange={update}
            />
          </EditorPanes>
        </div>
        {!focus.isOn && <NoteDetails form={form} properties={properties} />}
      </div>
    </form>
  );
};

/** The text of the form, and what happens to it. */
const useNoteForm = (props: NoteFormProps) => {
  const { saved, initial, isPending, onSave } = props;
  const form = useForm({ initialValues: initial });
  const editor = useRef<EditorHandle>(null);
  const read = (): NoteText => {
    const values = form.getValues();
    return { ...values, content: editor.current?.read() ?? values.content };
  };
  // The content of the form follows that of the editor, but not at every key.
  const update = useDebouncedCallback(() => form.setFieldValue('content', read().content), {
    delay: previewMs,
    flushOnUnmount: false,
  });
  const { keep, forget, leave, ...draft } = useNoteDraft({ ...props, text: form.values, read });
  useLeaveGuard(() => changedFields(saved, read()).length > 0, { keep, discard: forget });
  useImperativeHandle(props.ref, () => ({
    read,
    bringIn: (text) => {
      editor.current?.bringIn(text.content);
      form.setValues(text);
    },
    forgetDraft: forget,
    leave,
    cursor: () => cursorOf(editor.current?.view()),
  }));
  const links = useLinkUpdates(props, form.values.title);
  const send = (isStaying: boolean): void => {
    if (!isPending) {
      onSave(read(), { isStaying, updatesLinks: links.isOffered && links.isUpdated });
      // Now, because the draft knows what was sent, also if the page ends before the response.
      keep();
    }
  };
  // Stays on the page: the operator may still be typing.
  const again = useSaveAgain({ error: props.error, isPending, save: () => send(true) });
  const save = (isStaying: boolean): void => {
    again.forget();
    send(isStaying);
  };
  useHotkeys([['mod+S', () => save(true)]], [], true);
  const onToggleTask = (line: number): void => {
    const written = read().content;
    const content = toggleTask(written, line);
    // The preview is behind the text while somebody types.
    if (content !== null && written === form.getValues().content) {
      editor.current?.bringIn(content);
    }
  };
  const readWords = (): string => wordsOf({ base: saved, text: read() });
  return { form, editor, readWords, update, save, onToggleTask, links, draft, again };
};
