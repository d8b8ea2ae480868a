import { Button, Group, Stack, Text } from '@mantine/core';
import type { RefObject } from 'react';
import type { EditorHandle } from '../editor/code-editor.tsx';
import { TextEditor } from '../editor/text-editor.tsx';
import { SectionTitle } from '../../../components/section-title.tsx';

type CombinedTextProps = {
  readonly initial: string;
  readonly isPending: boolean;
  readonly editor: RefObject<EditorHandle | null>;
  readonly onChange: () => void;
  readonly onSave: (content: string) => void;
};

/** An editor for a resolution made by hand. It starts with what was chosen, and both sides of the other changes. */
export const CombinedText = (props: CombinedTextProps) => {
  const { initial, isPending, editor, onChange, onSave } = props;
  return (
    <Stack gap="xs" mt="lg">
      <SectionTitle>Combined text</SectionTitle>
      <Text size="sm" c="dimmed">
        Contains what you chose, and both sides of every other change. Edit it to what you want to
        keep.
      </Text>
      <TextEditor ref={editor} label="Combined text" initial={initial} onChange={onChange} />
      <Group>
        <Button loading={isPending} onClick={() => onSave(editor.current?.read() ?? initial)}>
          Save combined text
        </Button>
      </Group>
    </Stack>
  );
};
