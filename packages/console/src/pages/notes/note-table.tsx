import { Badge, Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProgressiveRows } from '../../components/use-progressive-rows.ts';
import { FolderPath } from './folder-path.tsx';
import classes from './note-list.module.css';
import { NoteExcerpt } from './note-excerpt.tsx';
import { NoteTags } from './note-tags.tsx';

type Note = Schema<'ListedNote'>;

/** Notes with their tags, snippet, folder and time of change. */
export const NoteTable = ({ notes }: { readonly notes: readonly Note[] }) => (
  <Table verticalSpacing="sm" highlightOnHover layout="fixed">
    <Table.Tbody>
      {useProgressiveRows(notes).map((note) => (
        <NoteRow key={note.id} note={note} />
      ))}
    </Table.Tbody>
  </Table>
);

const NoteRow = memo(({ note }: { readonly note: Note }) => {
  const { id, companyId, title, folder, tags, updatedAt, pinned, conflictOf } = note;
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes['head']}>
          <Link
            to={
              conflictOf === null
                ? '/companies/$companyId/notes/$noteId'
                : '/companies/$companyId/notes/$noteId/conflict'
            }
            params={{ companyId, noteId: id }}
            className={`text-link mantine-focus-auto ${classes['link']} ${classes['title']}`}
          >
            {title === '' ? 'Untitled' : title}
          </Link>
          {pinned && <Badge variant="light">pinned</Badge>}
          {conflictOf !== null && (
            <Badge variant="light" color="orange">
              conflict
            </Badge>
          )}
          <NoteTags companyId={companyId} tags={tags} />
        </div>
        <p className={`${classes['small']} ${classes['snippet']}`}>
          <NoteExcerpt note={note} />
        </p>
        <div className={classes['place']}>
          <FolderPath companyId={companyId} folder={folder} />
          <p className={classes['small']}>
            {folder !== '' && '· '}
            <RelativeTime at={updatedAt} />
          </p>
        </div>
      </Table.Td>
    </Table.Tr>
  );
});
