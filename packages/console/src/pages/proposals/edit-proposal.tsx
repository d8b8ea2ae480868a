import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useRef, useState } from 'react';
import { currentNoteIn } from '../../api/problems.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { EditorHandle } from '../notes/editor/code-editor.tsx';
import { GuardedEditor } from '../notes/editor/guarded-editor.tsx';
import { LineDiff } from '../notes/diff/line-diff.tsx';

type Note = Schema<'NoteData'>;

type EditProposalProps = {
  /** The text that the editor begins with. */
  readonly initial: string;
  /** The note that it was made from; null: a new note. */
  readonly note: Note | null;
  /** The text lacks what others have written since it was made. */
  readonly isReplacing: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onAccept: (content: string, note: Note | null) => void;
  readonly onCancel: () => void;
};

/** The proposed text in an editor. What is accepted is what stands in it, with what others write meanwhile. */
export const EditProposal = (props: EditProposalProps) => {
  const { error, isPending, onAccept, onCancel } = props;
  // A newer version must not replace the text that is being written.
  const [{ initial, isReplacing, note }] = useState(props);
  const editor = useRef<EditorHandle>(null);
  // What does not fit a newer version replaces it the next time, after the operator has seen it.
  const newer = currentNoteIn(error) ?? null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        Edit and accept
      </Title>
      {isReplacing && note && <Replaced text={initial} note={note} />}
      {newer && note ? (
        <Meanwhile before={note} after={newer} />
      ) : (
        Boolean(error) && <ErrorAlert error={error} />
      )}
      <GuardedEditor ref={editor} label="Text to accept" initial={initial} />
      <Group>
        <Button
          loading={isPending}
          {...(isReplacing ? { variant: 'outline', color: 'red' } : {})}
          onClick={() => onAccept(editor.current?.read() ?? initial, newer ?? note)}
        >
          {isReplacing ? 'Replace the note with this text' : 'Accept this text'}
        </Button>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
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
