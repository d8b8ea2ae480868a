import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useImperativeHandle, useRef, type Ref } from 'react';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { CodeEditor, type EditorHandle } from './code-editor.tsx';
import { EditorToolbar } from './editor-toolbar.tsx';
import { findNoteTitles } from './find-note-titles.ts';

type MarkdownEditorProps = {
  readonly label: string;
  readonly initial: string;
  readonly onChange: () => void;
  readonly ref: Ref<EditorHandle>;
};

const explainImages = (): void => {
  notifications.show({
    color: 'orange',
    message: 'Notes hold text only. Paste an image from a page, or link to its address.',
  });
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
        onImageFile={explainImages}
        findTitles={(typed, signal) => findNoteTitles({ companyId, typed, signal })}
      />
    </Stack>
  );
};
