import { Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { ActorNames } from '../../../components/use-actor-names.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { Name } from '../../../components/name.tsx';
import { RowHeader } from '../../../components/row-header.tsx';
import { FolderPath } from './folder-path.tsx';
import classes from './note-list.module.css';
import { isSameBlock } from './note-blocks.ts';
import { NoteExcerpt } from './note-excerpt.tsx';
import { NoteSelectBox } from './note-select-box.tsx';
import { NoteTags } from './note-tags.tsx';
import { useWindow } from './use-window.ts';
import { titleText } from '../../../components/title-text.ts';

type Note = Schema<'ListedNote'>;

/** What rows are rendered with, beside their notes. */
export type RowProps = {
  readonly isWindowed: boolean;
  readonly selectedIds: ReadonlySet<string>;
  readonly onToggle: Selection['toggle'] | null;
  readonly nameOf: ActorNames['nameOf'];
};

type NoteBlockProps = RowProps & {
  readonly notes: readonly Note[];
  /** Its place in the group. */
  readonly place: number;
  /** The height it had when it was rendered last, in pixels. */
  readonly knownPx: number | undefined;
  readonly onChange: (place: number, heightPx: number | null | undefined) => void;
};

/** Some rows, or their height. */
export const NoteBlock = memo(
  ({ notes, place, knownPx, onChange, ...props }: NoteBlockProps) => {
    const { isWindowed, selectedIds, onToggle, nameOf } = props;
    const { block, heightPx } = useWindow({
      rows: notes.length,
      isWindowed,
      knownPx,
      onChange: (next) => onChange(place, next),
    });
    return (
      <Table.Tbody ref={block}>
        {heightPx === null ? (
          notes.map((note) => (
            <NoteRow
              key={note.id}
              note={note}
              isSelected={selectedIds.has(note.id)}
              onToggle={onToggle}
              changedBy={nameOf(note.updatedBy)}
            />
          ))
        ) : (
          <tr aria-hidden style={{ height: heightPx }} />
        )}
      </Table.Tbody>
    );
  },
  (one, other) => isSameBlock(one.notes, other.notes) && isSameView(one, other),
);

/** Whether rows are rendered with the same. */
export const isSameView = (one: RowProps, other: RowProps): boolean =>
  one.isWindowed === other.isWindowed &&
  one.selectedIds === other.selectedIds &&
  one.onToggle === other.onToggle &&
  one.nameOf === other.nameOf;

type NoteRowProps = {
  readonly note: Note;
  readonly isSelected: boolean;
  readonly onToggle: Selection['toggle'] | null;
  readonly changedBy: string;
};

const NoteRow = memo(({ note, isSelected, onToggle, changedBy }: NoteRowProps) => (
  <Table.Tr
    data-row-note={note.id}
    data-selected={isSelected || undefined}
    className={classes['row']}
  >
    {onToggle && (
      <Table.Td className={classes['select']}>
        <NoteSelectBox note={note} isSelected={isSelected} onToggle={onToggle} />
      </Table.Td>
    )}
    <RowHeader className={classes['cell'] ?? ''}>
      <NoteCell note={note} changedBy={changedBy} />
    </RowHeader>
    <Table.Td className={`one-line ${classes['changedBy']}`} title={changedBy}>
      {changedBy}
    </Table.Td>
    <Table.Td className={`one-line ${classes['folder']}`} title={note.folder}>
      {note.folder !== '' && (
        <Link
          to="/companies/$companyId/notes"
          params={{ companyId: note.companyId }}
          search={{ folder: note.folder }}
          className={`text-link one-line mantine-focus-auto ${classes['link']}`}
        >
          {note.folder}
        </Link>
      )}
    </Table.Td>
    <Table.Td className={`one-line ${classes['tags']}`} title={note.tags.join(', ')}>
      <NoteTags companyId={note.companyId} tags={note.tags} />
    </Table.Td>
    <Table.Td className={classes['time']}>
      <RelativeTime at={note.updatedAt} />
    </Table.Td>
    <Table.Td className={`${classes['time']} ${classes['created']}`}>
      <RelativeTime at={note.createdAt} />
    </Table.Td>
  </Table.Tr>
));

type NoteCellProps = { readonly note: Note; readonly changedBy: string };

const NoteCell = ({ note, changedBy }: NoteCellProps) => {
  const { id, companyId, title, folder, tags, updatedAt, pinned, conflictOf } = note;
  const { conflictCopies = 0 } = note;
  return (
    <>
      <div className={classes['head']}>
        <Link
          to={
            conflictOf === null
              ? '/companies/$companyId/notes/$noteId'
              : '/companies/$companyId/notes/$noteId/conflict'
          }
          params={{ companyId, noteId: id }}
          data-title
          title={title}
          className={`text-link one-line mantine-focus-auto any-script ${classes['link']} ${classes['title']}`}
        >
          {titleText(title)}
        </Link>
        {pinned && <span className={classes['badge']}>pinned</span>}
        {(conflictOf !== null || conflictCopies > 0) && (
          <span data-conflict className={classes['badge']}>
            {conflictCopies > 1 ? `${conflictCopies} conflicts` : 'conflict'}
          </span>
        )}
      </div>
      {/* On a phone there are no columns for these. */}
      <div className={classes['place']} title={tags.join(', ')}>
        <FolderPath companyId={companyId} folder={folder} />
        <p className={`${classes['small']} ${classes['ownTime']}`}>
          Changed by <Name>{changedBy}</Name>, <RelativeTime at={updatedAt} />
        </p>
        <NoteTags companyId={companyId} tags={tags} />
      </div>
      {/* What a search found; in a list, the beginning of the note that has the focus. */}
      <p
        className={`any-script ${classes['small']} ${classes['snippet']}`}
        data-found={note.excerpt !== undefined || undefined}
      >
        <NoteExcerpt note={note} />
      </p>
    </>
  );
};
