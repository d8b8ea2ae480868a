import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import type { ComponentProps } from 'react';
import { ListBody } from './list-body.tsx';
import { TextLink } from './links.tsx';
import { RelativeTime } from './relative-time.tsx';
import { RowHeader } from './row-header.tsx';
import { TableScroll } from './table-scroll.tsx';
import { titleText } from './title-text.ts';

type Change = Schema<'NoteActivity'>;

type NoteChangesProps = {
  readonly companyId: string;
  readonly query: ComponentProps<typeof ListBody<Change>>['query'];
  /** What is shown if there are none at all. */
  readonly nothing: string;
};

/**
 * Versions of notes, each with a link to what it changed. The server looks at so many versions for one page: a page may
 * be empty though older ones follow.
 */
export const NoteChanges = ({ companyId, query, nothing }: NoteChangesProps) => (
  <ListBody
    query={query}
    found={{ noun: 'change' }}
    empty={
      <Text size="sm" c="dimmed">
        {query.hasNextPage ? 'None among the latest changes.' : nothing}
      </Text>
    }
  >
    {(changes) => (
      <TableScroll label="Changed notes" minWidth={360}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Note</Table.Th>
              <Table.Th ta="right">Revision</Table.Th>
              <Table.Th>Lines</Table.Th>
              <Table.Th>Time</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map((change) => (
              <ChangeRow
                key={`${change.noteId} ${change.revision}`}
                companyId={companyId}
                change={change}
              />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    )}
  </ListBody>
);

type ChangeRowProps = { readonly companyId: string; readonly change: Change };

const ChangeRow = ({ companyId, change }: ChangeRowProps) => {
  const { noteId, title, revision, deleted, linesAdded, linesRemoved, at } = change;
  return (
    <Table.Tr>
      <RowHeader>
        <TextLink
          to="/companies/$companyId/notes/$noteId/history"
          params={{ companyId, noteId }}
          search={revision > 1 ? { older: revision - 1, newer: revision } : { version: revision }}
        >
          {titleText(title)}
        </TextLink>
      </RowHeader>
      <Table.Td ta="right">{revision}</Table.Td>
      <Table.Td>
        {deleted ? 'deleted' : <Lines added={linesAdded} removed={linesRemoved} />}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={at} />
      </Table.Td>
    </Table.Tr>
  );
};

type LinesProps = { readonly added: number | null; readonly removed: number | null };

const Lines = ({ added, removed }: LinesProps) =>
  added === null || removed === null ? (
    'not counted'
  ) : (
    <>
      <span aria-hidden>{`+${added} −${removed}`}</span>
      <VisuallyHidden>{`${added} added, ${removed} removed`}</VisuallyHidden>
    </>
  );
