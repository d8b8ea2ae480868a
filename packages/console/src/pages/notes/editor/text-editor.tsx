import { Suspense, type Ref } from 'react';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import type { EditorHandle } from './code-editor.tsx';
import { LazyMarkdownEditor } from './lazy-markdown-editor.ts';

type TextEditorProps = {
  /** The accessible name. */
  readonly label: string;
  readonly initial: string;
  readonly onChange: () => void;
  readonly ref: Ref<EditorHandle>;
};

/** An editor of a text that is no note, opened to write at once. */
export const TextEditor = (props: TextEditorProps) => (
  <Suspense fallback={<SectionSkeleton height={360} />}>
    <LazyMarkdownEditor {...props} hasFocus />
  </Suspense>
);
