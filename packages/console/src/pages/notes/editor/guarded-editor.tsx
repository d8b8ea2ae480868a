import { Suspense, useState, type Ref } from 'react';
import { useLeaveGuard } from '../../../app/use-leave-guard.ts';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import type { EditorHandle } from './code-editor.tsx';
import { LazyMarkdownEditor } from './lazy-markdown-editor.ts';

type GuardedEditorProps = {
  /** The accessible name. */
  readonly label: string;
  readonly initial: string;
  readonly ref: Ref<EditorHandle>;
};

/** An editor for a text that is nowhere else: to leave it has to be confirmed once it was changed. */
export const GuardedEditor = (props: GuardedEditorProps) => {
  const [isChanged, setIsChanged] = useState(false);
  useLeaveGuard(() => isChanged);
  return (
    <Suspense fallback={<SectionSkeleton height={360} />}>
      <LazyMarkdownEditor {...props} onChange={() => setIsChanged(true)} />
    </Suspense>
  );
};
