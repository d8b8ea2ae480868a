import { Combobox, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { ExcerptText } from '../../components/excerpt-text.tsx';
import { useOpened } from '../use-opened.ts';
import type { PaletteItem } from './palette-item.ts';
import { usePaletteItems, type PaletteGroup } from './use-palette-items.ts';
import { useSelected } from './use-selected.ts';

type CommandPaletteProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** Searches notes, agents, pages and actions as one types; the arrow keys choose, Enter opens. */
export const CommandPalette = ({ isOpen, onClose }: CommandPaletteProps) => (
  <Modal
    opened={useOpened(isOpen)}
    onClose={onClose}
    title="Find anything"
    size="lg"
    yOffset="8dvh"
  >
    <Palette onClose={onClose} />
  </Modal>
);

const textCharsMax = 200;

/** While one types faster than this, no number is said. */
const typedMs = 500;

const Palette = ({ onClose }: Pick<CommandPaletteProps, 'onClose'>) => {
  const router = useRouter();
  const [text, setText] = useState('');
  const { groups, isSearching } = usePaletteItems(text);
  const items = groups.flatMap((group) => group.items);
  const { combobox, list, firstId, keyHandlers } = useSelected({ text, items, isSearching });
  const found = items.length === 1 ? '1 result' : `${items.length} results`;
  const [said] = useDebouncedValue(isSearching ? 'Searching' : found, typedMs);
  const open = (href: string): void => {
    onClose();
    const { run } = items.find((each) => each.href === href) ?? {};
    (run ?? (() => router.history.push(href)))();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={open} resetSelectionOnOptionHover>
      <Combobox.EventsTarget
        withExpandedAttribute
        // Escape closes the dialog at once; the list has nothing to close.
        data-mantine-stop-propagation="false"
        // Mantine names the selected option only once an arrow key was pressed.
        {...(firstId === null ? {} : { 'aria-activedescendant': firstId })}
      >
        <TextInput
          role="combobox"
          data-autofocus
          aria-label="Notes, agents, pages and actions"
          placeholder="Notes, agents, pages and actions"
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={textCharsMax}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          {...keyHandlers}
        />
      </Combobox.EventsTarget>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Results list={list} groups={groups} none={isSearching ? 'Searching…' : 'Nothing found'} />
    </Combobox>
  );
};

type ResultsProps = {
  readonly list: React.Ref<HTMLDivElement>;
  readonly groups: readonly PaletteGroup[];
  /** Displayed if there are none. */
  readonly none: string;
};

const Results = ({ list, groups, none }: ResultsProps) => (
  <Combobox.Options ref={list} aria-label="Results" mt="sm">
    {groups.map(({ name, items }) => (
      <Combobox.Group key={name} label={name}>
        {items.map((item) => (
          <Combobox.Option key={item.href} value={item.href}>
            <ItemText item={item} />
          </Combobox.Option>
        ))}
      </Combobox.Group>
    ))}
    {groups.length === 0 && <Combobox.Empty>{none}</Combobox.Empty>}
  </Combobox.Options>
);

const ItemText = ({ item: { label, excerpt, place } }: { readonly item: PaletteItem }) => (
  <>
    <Text span display="block" size="sm" fw={600} truncate>
      {label}
      {place !== undefined && (
        <Text span size="xs" fw={400} c="inherit">
          {' '}
          {place}
        </Text>
      )}
    </Text>
    {excerpt !== undefined && excerpt !== '' && (
      <Text span display="block" size="sm" c="inherit" truncate>
        <ExcerptText excerpt={excerpt} />
      </Text>
    )}
  </>
);
