import { Kbd, Modal, Stack, Switch, Table } from '@mantine/core';
import { Fragment, useState } from 'react';
import { singleKeyShortcuts } from './single-key-shortcuts.ts';
import { useOpened } from '../use-opened.ts';

const shortcuts = [
  { keys: ['Ctrl', 'K'], what: 'Search notes, agents, pages and actions' },
  { keys: ['/'], what: 'The same' },
  { keys: ['?'], what: 'This list' },
  {
    keys: ['Esc'],
    what: 'Close a dialog; in a list, end the selection; in a search field, clear the search',
  },
  { keys: ['c'], what: 'New note' },
  { keys: ['j'], what: 'In a list of notes: the next one' },
  { keys: ['k'], what: 'The previous one' },
  { keys: ['x'], what: 'Select it' },
  { keys: ['e'], what: 'Edit it' },
  { keys: ['Backspace'], what: 'Delete what is selected, or else this one; Delete does the same' },
  {
    keys: ['a'],
    what: 'In the list of proposals, where j, k, x and e do the same: accept what is selected, or else this one',
  },
  { keys: ['r'], what: 'Reject what is selected, or else this one' },
  { keys: ['g', 'd'], what: 'Dashboard' },
  { keys: ['g', 'a'], what: 'Agents' },
  { keys: ['g', 'n'], what: 'Notes' },
  { keys: ['g', 'p'], what: 'Proposals' },
  { keys: ['g', 'r'], what: 'Runs' },
  { keys: ['g', 'c'], what: 'Credentials' },
  { keys: ['g', 'm'], what: 'Members' },
  { keys: ['g', 'l'], what: 'Activity' },
  { keys: ['g', 's'], what: 'Settings' },
] as const;

type ShortcutHelpProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** The keyboard shortcuts, and the switch for those of a single key. */
export const ShortcutHelp = ({ isOpen, onClose }: ShortcutHelpProps) => {
  const [areOn, setAreOn] = useState(singleKeyShortcuts.areOn);
  return (
    <Modal opened={useOpened(isOpen)} onClose={onClose} title="Keyboard shortcuts">
      <Stack>
        <Table aria-label="Keyboard shortcuts" withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {shortcuts.map(({ keys, what }) => (
              <Table.Tr key={keys.join('+')}>
                <Table.Th scope="row" w={110}>
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && ` ${key === 'K' ? '+' : 'then'} `}
                      <Kbd>{key}</Kbd>
                    </Fragment>
                  ))}
                </Table.Th>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Shortcuts without Ctrl"
          checked={areOn}
          onChange={({ currentTarget: { checked } }) => {
            singleKeyShortcuts.set(checked);
            setAreOn(checked);
          }}
        />
      </Stack>
    </Modal>
  );
};
