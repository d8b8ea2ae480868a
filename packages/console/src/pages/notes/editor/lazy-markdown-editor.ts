import { lazyPart } from '../../../on-demand/lazy-part.ts';

/** CodeMirror is as large as the rest of the page. */
export const loadMarkdownEditor = async () =>
  (await import('./markdown-editor.tsx')).MarkdownEditor;

/** The editor, whose code is loaded when it is shown. */
export const LazyMarkdownEditor = lazyPart(loadMarkdownEditor);
