import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { currentNoteIn } from '../../api/problems.ts';
import { useLeaveGuard } from '../../app/use-leave-guard.ts';
import { confirmLeaving } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { EditorHandle } from '../notes/editor/code-editor.tsx';
import { NotKept } from '../notes/editor/not-kept.tsx';
import { DraftNotice } from '../notes/editor/draft-notice.tsx';
import { TextEditor } from '../notes/editor/text-editor.tsx';
import { useDraft } from '../notes/editor/use-draft.ts';
import { LineDiff } from '../notes/diff/line-diff.tsx';
import type { EditStart } from './proposal-draft.ts';

type Note = Schema<'NoteData'>;

const updateMs = 150;

type EditProposalProps = {
  /** What the editor begins with. */
  readonly start: EditStart;
  /** Where the text is kept until it is accepted. */
  readonly draftKey: string;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onAccept: (content: string, note: Note | null, onAccepted: () => boolean) => void;
  readonly onCancel: () => void;
};

/** The proposed text in an editor. What is accepted is what stands in it, with what others write meanwhile. */
export const EditProposal = (props: EditProposalProps) => {
  const { error, isPending, onCancel } = props;
  // A newer version must not replace the text that is being written.
  const [start] = useState(props.start);
  const { isReplacing, note, isDraft } = start;
  const { editor, update, isUnsaved, keep, forget, accept, isKept } = useProposedText(start, props);
  const cancel = async (): Promise<void> => {
    if (!isUnsaved() || keep() || (await confirmLeaving({ isKept: false })) !== 'stay') {
      onCancel();
    }
  };
  // What does not fit a newer version replaces it the next time, after the operator has seen it.
  const newer = currentNoteIn(error) ?? null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        Edit and accept
      </Title>
      {isDraft && (
        <DraftNotice
          onDiscard={() => {
            forget();
            onCancel();
          }}
        />
      )}
      {isReplacing && note && <Replaced text={start.text} note={note} />}
      {newer && note ? (
        <Meanwhile before={note} after={newer} />
      ) : (
        Boolean(error) && <ErrorAlert error={error} />
      )}
      <TextEditor ref={editor} label="Text to accept" initial={start.text} onChange={update} />
      <NotKept isKept={isKept} />
      <Group>
        <Button
          loading={isPending}
          {...(isReplacing ? { variant: 'outline', color: 'red' } : {})}
          onClick={() => accept(newer ?? note)}
        >
          {isReplacing ? 'Replace the note with this text' : 'Accept this text'}
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => void cancel()}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
};

/** The text of the editor, which is kept in this browser until it is accepted, and guarded. */
const useProposedText = (
  start: EditStart,
  { draftKey, onAccept }: Pick<EditProposalProps, 'draftKey' | 'onAccept'>,
) => {
  const { text, isReplacing, note, isDraft } = start;
  const editor = useRef<EditorHandle>(null);
  // Of an editor that is gone, what was last read.
  const newest = useRef(text);
  const read = (): string => {
    newest.current = editor.current?.read() ?? newest.current;
    return newest.current;
  };
  const isUnsaved = (): boolean => isDraft || read() !== text;
  // What is typed is rendered after a pause.
  const [typed, setTyped] = useState(text);
  const update = useDebouncedCallback(() => setTyped(read()), {
    delay: updateMs,
    flushOnUnmount: false,
  });
  const draftOf = (content: string) => ({
    text: content,
    isReplacing,
    note,
    savedAt: new Date().toISOString(),
  });
  const { keep, forget, isKept, ...draft } = useDraft({
    draftKey,
    isChanged: isDraft || typed !== text,
    watched: [typed, note],
    read: () => (isUnsaved() ? draftOf(read()) : null),
  });
  useLeaveGuard(isUnsaved, { keep, discard: forget });
  /** A text is accepted: what is newer stays as a draft. Returns whether it is newer. */
  const leave = (accepted: string): boolean =>
    draft.leave({ draftKey, read: () => (read() === accepted ? null : draftOf(read())) });
  const accept = (over: Note | null): void => {
    const sent = read();
    onAccept(sent, over, () => leave(sent));
  };
  return { editor, update, isUnsaved, keep, forget, accept, isKept };
};

type ReplacedProps = { readonly text: string; readonly note: Note };

/** Says what accepting the text discards. */
const Replaced = ({ text, note }: ReplacedProps) => (
  <Alert color="orange" role="status" title="This text replaces the note">
    <Stack gap="xs">
      <Text size="sm">
        What others have written since the proposal is not in it: the lines marked − below. Copy
        what should stay into your text.
      </Text>
      <LineDiff before={note.content} after={text} label="Replaced by this text" isWrapped />
    </Stack>
  </Alert>
);

type MeanwhileProps = { readonly before: Note; readonly after: Note };

/** What others have changed while the text was being written. */
const Meanwhile = ({ before, after }: MeanwhileProps) => (
  <Alert color="orange" role="alert" title="Others have changed the same lines in the meantime">
    <Stack gap="xs">
      <Text size="sm">Accept again to replace these changes with your text.</Text>
      <LineDiff
        before={before.content}
        after={after.content}
        label="Changed in the meantime"
        isWrapped
      />
    </Stack>
  </Alert>
);
