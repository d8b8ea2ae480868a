import { lazyPart } from '../../../on-demand/lazy-part.tsx';

/** The editor, whose code is loaded when it is shown: CodeMirror is as large as the rest of the page. */
export const LazyMarkdownEditor = lazyPart(
  async () => (await import('./markdown-editor.tsx')).MarkdownEditor,
);
