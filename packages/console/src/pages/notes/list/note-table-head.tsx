import { Table, VisuallyHidden } from '@mantine/core';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { SortHeader, type SortOrder } from '../../../components/sort-header.tsx';
import { useChangeSearch } from '../../../components/use-change-search.ts';
import classes from './note-list.module.css';
import { focusActions } from './note-select-box.tsx';

type SelectAll = {
  readonly isAll: boolean;
  readonly isSome: boolean;
  /** Selects the notes in the window, whose number one sees, or none if some are selected. */
  readonly onToggle: () => void;
};

type NoteTableHeadProps = {
  readonly filter: NoteFilter;
  /** Absent for those who may change nothing. */
  readonly selectAll: SelectAll | null;
};

/** What a column sorts by, if it does, and its first order: titles from A, times from the newest. */
const columns = [
  { label: 'Title', sort: 'title', first: 'asc', className: '' },
  { label: 'Changed by', sort: null, first: 'asc', className: classes['changedBy'] },
  { label: 'Folder', sort: null, first: 'asc', className: classes['folder'] },
  { label: 'Tags', sort: null, first: 'asc', className: classes['tags'] },
  { label: 'Changed', sort: undefined, first: 'desc', className: classes['time'] },
  {
    label: 'Created',
    sort: 'createdAt',
    first: 'desc',
    className: `${classes['time']} ${classes['created']}`,
  },
] as const;

/** The header of a list of notes, which sorts it. A search has the order of its matches. */
export const NoteTableHead = ({ filter, selectAll }: NoteTableHeadProps) => {
  const change = useChangeSearch();
  return (
    <Table.Thead className={classes['thead']}>
      <Table.Tr>
        {selectAll && (
          <Table.Th className={classes['select']}>
            <SelectAllBox {...selectAll} />
          </Table.Th>
        )}
        {columns.map(({ label, sort, first, className }) => {
          const order = filter.sort === sort ? (filter.order ?? first) : null;
          return filter.q === undefined && sort !== null ? (
            <SortHeader
              key={label}
              className={className ?? ''}
              order={order}
              onSort={() => change({ sort, order: nextOrder(order, first) })}
            >
              {label}
            </SortHeader>
          ) : (
            <Table.Th key={label} className={className ?? ''}>
              {label}
            </Table.Th>
          );
        })}
      </Table.Tr>
    </Table.Thead>
  );
};

/** The order of the address; its absence is the first one. */
const nextOrder = (order: SortOrder | null, first: SortOrder): SortOrder | undefined =>
  order !== first ? undefined : first === 'asc' ? 'desc' : 'asc';

/** The header of a further list with the same columns, for those who do not see that they are the same. */
export const HiddenTableHead = ({ hasSelection }: { readonly hasSelection: boolean }) => (
  <Table.Thead className={classes['hiddenHead']}>
    <Table.Tr>
      {hasSelection && (
        <Table.Th className={classes['select']}>
          <VisuallyHidden>Selection</VisuallyHidden>
        </Table.Th>
      )}
      {columns.map(({ label, className }) => (
        <Table.Th key={label} className={className ?? ''}>
          <VisuallyHidden>{label}</VisuallyHidden>
        </Table.Th>
      ))}
    </Table.Tr>
  </Table.Thead>
);

const SelectAllBox = ({ isAll, isSome, onToggle }: SelectAll) => (
  <input
    type="checkbox"
    className={`mantine-focus-auto ${classes['box']}`}
    aria-label="Select the notes in view"
    checked={isAll}
    ref={(box) => {
      if (box) {
        box.indeterminate = isSome && !isAll;
      }
    }}
    onChange={onToggle}
    onKeyDown={(event) => {
      if (event.key === 'Enter') {
        focusActions(event);
      }
    }}
  />
);
