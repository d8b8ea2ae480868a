import { Paper, Text } from '@mantine/core';
import { Suspense, useCallback, useEffect, useRef, type RefObject } from 'react';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import classes from './note-form.module.css';
import { NoteLinkContext } from '../markdown/note-link.tsx';
import { TaskToggle } from '../markdown/task-toggle.ts';
import { alignPreview } from './align-preview.ts';
import type { EditorHandle } from './code-editor.tsx';
import type { PaneView } from './use-pane-view.ts';
import { usePreviewLinks } from './use-preview-links.ts';

type EditorPanesProps = {
  readonly view: PaneView;
  readonly editor: RefObject<EditorHandle | null>;
  readonly preview: string;
  /** Of the note: a link by title leads to a note of it first. */
  readonly folder: string;
  readonly onToggleTask: (line: number) => void;
  readonly children: React.ReactNode;
};

/** The editor and its preview, beside each other or one alone. Beside each other they show the same place. */
export const EditorPanes = (props: EditorPanesProps) => {
  const { view, editor, preview, folder, onToggleTask, children } = props;
  const { region, content, align } = useAlignment(editor, view === 'both');
  return (
    <div className={classes['panes']} data-view={view} onScrollCapture={align}>
      {/* Hidden and not removed, so that it keeps cursor and history. */}
      <div hidden={view === 'preview'}>
        <Suspense fallback={<SectionSkeleton height={360} />}>{children}</Suspense>
      </div>
      {view !== 'write' && (
        <Paper
          ref={region}
          component="section"
          aria-label="Preview"
          tabIndex={0}
          className={`panel mantine-focus-auto ${classes['preview']}`}
          withBorder
        >
          <div ref={content}>
            {preview === '' ? (
              <Text size="sm" c="dimmed">
                Nothing is written yet.
              </Text>
            ) : (
              <Preview text={preview} folder={folder} onToggleTask={onToggleTask} />
            )}
          </div>
        </Paper>
      )}
    </div>
  );
};

type PreviewProps = {
  readonly text: string;
  readonly folder: string;
  readonly onToggleTask: (line: number) => void;
};

const Preview = ({ text, folder, onToggleTask }: PreviewProps) => (
  <NoteLinkContext value={usePreviewLinks(text, folder)}>
    <TaskToggle value={onToggleTask}>
      <Markdown>{text}</Markdown>
    </TaskToggle>
  </NoteLinkContext>
);

/** Keeps the preview at the line that is at the top of the editor, also when the preview has grown. */
const useAlignment = (editor: RefObject<EditorHandle | null>, isWanted: boolean) => {
  const region = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const frame = useRef(0);
  const schedule = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const view = editor.current?.view();
      if (view && region.current) {
        alignPreview(view, region.current);
      }
    });
  }, [editor]);
  useEffect(() => {
    const element = content.current;
    if (!isWanted || !element) {
      return undefined;
    }
    const observer = new ResizeObserver(schedule);
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, [isWanted, schedule]);
  const align = (event: React.UIEvent<HTMLElement>): void => {
    if (isWanted && event.target === editor.current?.view()?.scrollDOM) {
      schedule();
    }
  };
  return { region, content, align };
};
