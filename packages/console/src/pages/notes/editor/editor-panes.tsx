import { Button, Paper, SimpleGrid, Stack, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Suspense } from 'react';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { Markdown } from '../markdown.tsx';
import { TaskToggle } from '../task-toggle.ts';

type Shown = 'write' | 'both' | 'preview';

const views: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: 'write', label: 'Write' },
  { value: 'both', label: 'Both' },
  { value: 'preview', label: 'Preview' },
];

type EditorPanesProps = {
  readonly preview: string;
  readonly onToggleTask: (line: number) => void;
  readonly children: React.ReactNode;
};

const toolbarPx = 38;

/** The editor and its preview, beside each other or one alone. */
export const EditorPanes = ({ preview, onToggleTask, children }: EditorPanesProps) => {
  const [shown, setShown] = useLocalStorage<Shown>({
    key: 'commonplace.editor-panes',
    defaultValue: 'both',
  });
  return (
    <Stack gap="xs">
      <Button.Group aria-label="View">
        {views.map(({ value, label }) => (
          <Button
            key={value}
            size="xs"
            variant={shown === value ? 'filled' : 'default'}
            aria-pressed={shown === value}
            onClick={() => setShown(value)}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
      <SimpleGrid cols={shown === 'both' ? { base: 1, md: 2 } : 1}>
        {/* Hidden and not removed, so that it keeps cursor and history. */}
        <div hidden={shown === 'preview'}>
          <Suspense fallback={<SectionSkeleton height={360} />}>{children}</Suspense>
        </div>
        {shown !== 'write' && (
          <Paper
            component="section"
            aria-label="Preview"
            className="panel"
            withBorder
            p="md"
            // Level with the text, below the toolbar.
            mt={shown === 'both' ? { base: 0, md: toolbarPx } : 0}
          >
            {preview === '' ? (
              <VisuallyHidden>Nothing is written yet.</VisuallyHidden>
            ) : (
              <TaskToggle value={onToggleTask}>
                <Markdown>{preview}</Markdown>
              </TaskToggle>
            )}
          </Paper>
        )}
      </SimpleGrid>
    </Stack>
  );
};
