import {
  Button,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  type TagsInputProps,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useDebouncedCallback, useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { lazyPart } from '../../on-demand/lazy-part.ts';
import { useLeaveGuard } from '../../app/use-leave-guard.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { EditorHandle } from './editor/code-editor.tsx';
import { removeDraft, writeDraft, type DraftName } from './editor/drafts.ts';
import { EditorPanes } from './editor/editor-panes.tsx';
import { FolderInput } from './folder-input.tsx';
import { changedFields, type NoteText } from './note-text.ts';
import { toggleTask } from './task-toggle.ts';
import { tagDebounceMs, useTagSuggestions } from './use-tag-suggestions.ts';

/** What a page does with the form of a note. */
export type NoteFormHandle = {
  readonly read: () => NoteText;
  /** Applies a text that includes changes of others. */
  readonly bringIn: (text: NoteText) => void;
  /** Removes the draft, and keeps none any more: the text is saved. The form may be there for a while yet. */
  readonly forgetDraft: () => void;
};

type SaveOptions = {
  readonly isStaying: boolean;
  /** Whether a new title is also that in the links of other notes. */
  readonly updatesLinks: boolean;
};

type NoteFormProps = {
  /** The saved text; anything else is unsaved work. */
  readonly saved: NoteText;
  readonly baseRevision: number | null;
  readonly initial: NoteText;
  readonly draftName: DraftName;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Saves and leaves the page, or saves and stays. */
  readonly onSave: (text: NoteText, how: SaveOptions) => void;
  readonly ref?: Ref<NoteFormHandle>;
};

const previewMs = 150;
const draftMs = 500;

/** CodeMirror is as large as the rest of the page. */
const MarkdownEditor = lazyPart(
  async () => (await import('./editor/markdown-editor.tsx')).MarkdownEditor,
);

/** The form of a note. Unsaved changes survive a reload, and leaving them has to be confirmed. */
export const NoteForm = (props: NoteFormProps) => {
  const { error, isPending } = props;
  const { form, editor, read, update, save, links } = useNoteForm(props);
  const onToggleTask = (line: number): void => {
    const written = read().content;
    const content = toggleTask(written, line);
    // The preview is behind the text while somebody types.
    if (content !== null && written === form.getValues().content) {
      editor.current?.bringIn(content);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(false);
      }}
    >
      <Stack>
        <NoteFields form={form} />
        {links.isOffered && (
          <Switch
            label={`Change the links of other notes to “${props.saved.title}” as well`}
            checked={links.isUpdated}
            onChange={(event) => links.setUpdated(event.currentTarget.checked)}
          />
        )}
        <EditorPanes preview={form.values.content} onToggleTask={onToggleTask}>
          <MarkdownEditor
            ref={editor}
            label="Content"
            initial={form.values.content}
            onChange={update}
          />
        </EditorPanes>
        {/* Next to the button, because the top of a long note is out of view. */}
        {error !== null && error !== undefined && <ErrorAlert error={error} hint={unsavedHint} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const unsavedHint =
  'Nothing is lost: your text stays here, and in this browser until it is saved. Save again when this is resolved.';

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
  const forget = useDraft(props, changedFields(saved, form.values).length > 0, form.values);
  useLeaveGuard(() => changedFields(saved, read()).length > 0, forget);
  useImperativeHandle(props.ref, () => ({
    read,
    bringIn: (text) => {
      editor.current?.bringIn(text.content);
      form.setValues(text);
    },
    forgetDraft: forget,
  }));
  const links = useLinkUpdates(props, form.values.title);
  const save = (isStaying: boolean): void => {
    if (!isPending) {
      onSave(read(), { isStaying, updatesLinks: links.isOffered && links.isUpdated });
    }
  };
  useHotkeys([['mod+S', () => save(true)]], [], true);
  return { form, editor, read, update, save, links };
};

/** Whether a rename changes the links of other notes too, which is offered for a note that is saved already. */
const useLinkUpdates = ({ saved, baseRevision }: NoteFormProps, title: string) => {
  const [isUpdated, setUpdated] = useState(false);
  const isOffered =
    baseRevision !== null && saved.title !== '' && title !== '' && title !== saved.title;
  return { isOffered, isUpdated, setUpdated };
};

const NoteFields = ({ form }: { readonly form: UseFormReturnType<NoteText> }) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Title" maxLength={500} {...form.getInputProps('title')} />
      <FolderInput placeholder="projects/2026" {...form.getInputProps('folder')} />
    </SimpleGrid>
    <TagsField {...form.getInputProps('tags')} />
    <Group>
      <Switch label="Pinned" {...form.getInputProps('pinned', { type: 'checkbox' })} />
      <Switch label="Archived" {...form.getInputProps('archived', { type: 'checkbox' })} />
    </Group>
  </>
);

/** Keeps unsaved changes in the browser. Returns what forgets them. */
const useDraft = (
  { draftName, baseRevision, saved }: NoteFormProps,
  isChanged: boolean,
  text: NoteText,
): (() => void) => {
  const { operatorId, companyId, noteId } = draftName;
  const isForgotten = useRef(false);
  useEffect(() => {
    const name = { operatorId, companyId, noteId };
    if (!isChanged) {
      removeDraft(name);
      return;
    }
    const timer = setTimeout(
      () =>
        isForgotten.current ||
        writeDraft(name, { baseRevision, base: saved, text, savedAt: new Date().toISOString() }),
      draftMs,
    );
    return () => clearTimeout(timer);
  }, [operatorId, companyId, noteId, baseRevision, saved, isChanged, text]);
  return () => {
    isForgotten.current = true;
    removeDraft(draftName);
  };
};

const TagsField = (props: TagsInputProps) => {
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text, tagDebounceMs);
  const { tags, load } = useTagSuggestions(typed);
  return (
    <TagsInput
      label="Tags"
      {...props}
      data={[...tags]}
      searchValue={text}
      onSearchChange={setText}
      onFocus={(event) => {
        load();
        props.onFocus?.(event);
      }}
    />
  );
};
