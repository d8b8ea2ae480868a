import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../on-demand/lazy-part.ts';
import { useLeaveGuard } from '../../app/use-leave-guard.ts';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { diffLines } from './diff-lines.ts';
import type { EditorHandle } from './editor/code-editor.tsx';

type Note = Schema<'NoteData'>;

type CombinedTextProps = {
  readonly current: Note;
  readonly other: Note;
  /** What the current version is called. */
  readonly first: string;
  readonly isPending: boolean;
  readonly onSave: (content: string) => void;
};

const MarkdownEditor = lazyPart(
  async () => (await import('./editor/markdown-editor.tsx')).MarkdownEditor,
);

/** An editor that starts with all lines of both versions, for a resolution made by hand. */
export const CombinedText = ({ current, other, first, isPending, onSave }: CombinedTextProps) => {
  const [initial] = useState(() => combined(current.content, other.content));
  const editor = useRef<EditorHandle>(null);
  const [isChanged, setIsChanged] = useState(false);
  useLeaveGuard(() => isChanged);
  return (
    <Stack gap="xs" mt="lg">
      <Title order={2} size="h3">
        Combined text
      </Title>
      <Text size="sm" c="dimmed">
        All lines of both versions, those of {first} first. Edit them to what should stay.
      </Text>
      <Suspense fallback={<SectionSkeleton height={360} />}>
        <MarkdownEditor
          ref={editor}
          label="Combined text"
          initial={initial}
          onChange={() => setIsChanged(true)}
        />
      </Suspense>
      <Group>
        <Button loading={isPending} onClick={() => onSave(editor.current?.read() ?? initial)}>
          Save combined text
        </Button>
      </Group>
    </Stack>
  );
};

const changesMax = 1_000;

/** Common lines once, and what differs from both, the current version first. */
const combined = (current: string, other: string): string =>
  diffLines(current, other, { maxEditLength: changesMax })
    ?.map(({ value }, index, { length }) =>
      // The last line of a version may have no line feed of its own.
      index < length - 1 && !value.endsWith('\n') ? `${value}\n` : value,
    )
    .join('') ?? `${current}\n${other}`;
