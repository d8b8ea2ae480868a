import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useHeldKeys } from '../../on-demand/held-keys.ts';
import { onDemand } from '../../on-demand/on-demand.ts';
import { useOnDemand } from '../../on-demand/use-on-demand.ts';
import { useShortcuts } from './use-shortcuts.ts';

type DialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

const commandPalette = onDemand<DialogProps>(
  async () => (await import('./command-palette.tsx')).CommandPalette,
);
const shortcutHelp = onDemand<DialogProps>(
  async () => (await import('./shortcut-help.tsx')).ShortcutHelp,
);

/** The search of the header and its shortcuts. The dialogs are loaded when they are first opened. */
export const QuickSearch = () => {
  const [opened, setOpened] = useState<'search' | 'help' | null>(null);
  const onSearch = useCallback(() => setOpened('search'), []);
  const onHelp = useCallback(() => setOpened('help'), []);
  const close = useCallback(() => setOpened(null), []);
  useShortcuts({ onSearch, onHelp });
  useHeldKeys(opened !== null, close);
  const Palette = useOnDemand(commandPalette, opened === 'search', close);
  const Help = useOnDemand(shortcutHelp, opened === 'help', close);
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
      {Palette && <Palette isOpen={opened === 'search'} onClose={close} />}
      {Help && <Help isOpen={opened === 'help'} onClose={close} />}
    </>
  );
};
