import { Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { useProgressiveRows } from '../../../components/use-progressive-rows.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { groupsOf } from './note-blocks.ts';
import { NoteGroup } from './note-group.tsx';

type Note = Schema<'ListedNote'>;

type NoteTableProps = {
  /** The accessible name. */
  readonly label: string;
  readonly notes: readonly Note[];
  /** The header of the columns. */
  readonly head: React.ReactNode;
  /** Absent for those who may change nothing. */
  readonly selection: Selection | null;
};

/** Up to so many rows are all in the document, for the browser's search and for screen readers. */
const rowsMax = 200;

/** Notes with their tags, snippet, folder, last change and time of creation. Of a long list, only what is near the window is rendered. */
export const NoteTable = ({ label, notes, head, selection }: NoteTableProps) => {
  const rows = useProgressiveRows(notes);
  const isWindowed = notes.length > rowsMax;
  const { nameOf } = useActorNames();
  return (
    <Table
      aria-label={label}
      verticalSpacing={5}
      highlightOnHover
      layout="fixed"
      {...(isWindowed ? { 'aria-rowcount': -1 } : {})}
    >
      {head}
      {groupsOf(rows).map((group, index) => (
        <NoteGroup
          // By place: a new first note must not replace every row, with the focus or a click on it.
          key={index}
          notes={group}
          isWindowed={isWindowed}
          selectedIds={selection?.ids ?? noIds}
          onToggle={selection?.toggle ?? null}
          nameOf={nameOf}
        />
      ))}
    </Table>
  );
};

const noIds: ReadonlySet<string> = new Set();
