import { useLocalStorage } from '@mantine/hooks';

/** What the editor shows: the text, its preview, or both beside each other. */
export type PaneView = 'write' | 'both' | 'preview';

/** The view of the editor, which a browser remembers. */
export const usePaneView = () =>
  useLocalStorage<PaneView>({ key: 'commonplace.editor-panes', defaultValue: 'both' });
