import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const ShortcutHelp = lazy(async () => ({
  default: (await import('./shortcut-help.tsx')).ShortcutHelp,
}));

type Dialog = 'search' | 'help';

/** The search of the header and its shortcuts. The dialogs are loaded when they are first opened. */
export const QuickSearch = () => {
  const [opened, setOpened] = useState<Dialog | null>(null);
  const [loaded, setLoaded] = useState<ReadonlySet<Dialog>>(new Set());
  const open = useCallback((dialog: Dialog): void => {
    setLoaded((before) => new Set([...before, dialog]));
    setOpened(dialog);
  }, []);
  const onSearch = useCallback(() => open('search'), [open]);
  const onHelp = useCallback(() => open('help'), [open]);
  const close = useCallback(() => setOpened(null), []);
  useShortcuts({ onSearch, onHelp });
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Find anything"
        aria-keyshortcuts="Control+K"
        title="Find anything (Ctrl+K)"
        onClick={onSearch}
      >
        <IconSearch size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Suspense fallback={null}>
        {loaded.has('search') && <CommandPalette isOpen={opened === 'search'} onClose={close} />}
        {loaded.has('help') && <ShortcutHelp isOpen={opened === 'help'} onClose={close} />}
      </Suspense>
    </>
  );
};
