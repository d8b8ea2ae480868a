import { Stack } from '@mantine/core';
import { useImperativeHandle, useRef, type Ref } from 'react';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { CodeEditor, type EditorHandle } from './code-editor.tsx';
import type { Cursor } from './cursor.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { explainFiles } from './explain-files.ts';
import { findNoteTitles } from './find-note-titles.ts';

type MarkdownEditorProps = {
  readonly label: string;
  readonly initial: string;
  /** The cursor is in the text from the beginning. */
  readonly hasFocus?: boolean;
  /** The same, at this place; null: it is not. */
  readonly cursor?: Cursor | null;
  readonly onChange: () => void;
  readonly ref: Ref<EditorHandle>;
};

/** The editor with its toolbar. */
export const MarkdownEditor = ({ ref, ...props }: MarkdownEditorProps) => {
  const companyId = useCompanyId();
  const editor = useRef<EditorHandle>(null);
  useImperativeHandle(ref, () => ({
    read: () => editor.current?.read() ?? props.initial,
    bringIn: (text) => editor.current?.bringIn(text),
    view: () => editor.current?.view() ?? null,
  }));
  return (
    <Stack gap={4}>
      <EditorToolbar view={() => editor.current?.view() ?? null} />
      <CodeEditor
        {...props}
        ref={editor}
        onFiles={explainFiles}
        findTitles={(typed, signal) => findNoteTitles({ companyId, typed, signal })}
      />
    </Stack>
  );
};
