import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { confirm } from '../../../components/confirm.tsx';
import type { BulkAction, ListedNote } from '../../../app/bulk/bulk-task.ts';
import { countNotes } from '../../../components/count-notes.ts';
import { copiesLeft } from '../copies-left.tsx';
import { MoveForm } from './move-form.tsx';
import { TagForm } from './tag-form.tsx';

type BulkActionsProps = {
  readonly show: NoteFilter['show'];
  readonly notes: readonly ListedNote[];
  readonly onAction: (action: BulkAction) => void;
};

/** The actions on the selected notes. */
export const BulkActions = ({ show, notes, onAction }: BulkActionsProps) => {
  const [form, setForm] = useState<'move' | 'tag' | null>(null);
  if (show === 'deleted') {
    return <Action onClick={() => onAction({ kind: 'restore' })}>Restore</Action>;
  }
  const count = countNotes(notes.length);
  const decide = (action: BulkAction): void => {
    setForm(null);
    onAction(action);
  };
  const confirmDelete = (): void =>
    confirm({
      title: `Delete ${count}?`,
      text: `Agents that synchronise delete them too. You can restore them later.${copiesLeft(countCopies(notes))}`,
      confirm: `Delete ${count}`,
      onConfirm: () => onAction({ kind: 'delete' }),
    });
  const isArchived = show === 'archived';
  return (
    <>
      <Action onClick={() => setForm('move')}>Move…</Action>
      <Action onClick={() => setForm('tag')}>Tag…</Action>
      <Action onClick={() => onAction({ kind: 'archive', archived: !isArchived })}>
        {isArchived ? 'Unarchive' : 'Archive'}
      </Action>
      <Action color="red" variant="outline" data-delete onClick={confirmDelete}>
        Delete…
      </Action>
      <Modal opened={form === 'move'} onClose={() => setForm(null)} title={`Move ${count}`}>
        <MoveForm onMove={decide} />
      </Modal>
      <Modal opened={form === 'tag'} onClose={() => setForm(null)} title={`Tags of ${count}`}>
        <TagForm notes={notes} onTag={decide} />
      </Modal>
    </>
  );
};

const countCopies = (notes: readonly ListedNote[]): number =>
  notes.reduce((sum, { conflictCopies = 0 }) => sum + conflictCopies, 0);

const Action = (props: React.ComponentProps<typeof Button<'button'>>) => (
  <Button size="xs" variant="default" {...props} />
);
