import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../on-demand/lazy-part.ts';
import { useLeaveGuard } from '../../app/use-leave-guard.ts';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import type { EditorHandle } from './editor/code-editor.tsx';

type CombinedTextProps = {
  readonly initial: string;
  readonly isPending: boolean;
  readonly onSave: (content: string) => void;
};

const MarkdownEditor = lazyPart(
  async () => (await import('./editor/markdown-editor.tsx')).MarkdownEditor,
);

/** An editor for a resolution made by hand. It starts with what was chosen, and both sides of the other changes. */
export const CombinedText = ({ initial, isPending, onSave }: CombinedTextProps) => {
  const editor = useRef<EditorHandle>(null);
  const [isChanged, setIsChanged] = useState(false);
  useLeaveGuard(() => isChanged);
  return (
    <Stack gap="xs" mt="lg">
      <Title order={2} size="h3">
        Combined text
      </Title>
      <Text size="sm" c="dimmed">
        What you chose, and both sides of every other change. Edit it to what should stay.
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
