import { Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { runChangesQuery } from '../../api/run-queries.ts';
import { TextLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

/** The versions of notes that a run wrote, newest first. */
export const RunChanges = ({ run }: { readonly run: Schema<'Run'> }) => {
  const query = useInfiniteQuery(runChangesQuery(run.companyId, run));
  return (
    <ListBody query={query} empty={<Nothing isSure={!query.hasNextPage} />}>
      {(changes) => (
        <TableScroll minWidth={480}>
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
                  companyId={run.companyId}
                  change={change}
                />
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </ListBody>
  );
};

/** A page looks at a limited number of changes, so an empty one may not be the last. */
const Nothing = ({ isSure }: { readonly isSure: boolean }) => (
  <Text size="sm" c="dimmed">
    {isSure ? 'No notes with its token.' : 'Nothing among the latest changes of the company.'}
  </Text>
);

type ChangeRowProps = { readonly companyId: string; readonly change: Schema<'NoteActivity'> };

const ChangeRow = ({ companyId, change }: ChangeRowProps) => {
  const { noteId, title, revision, deleted, linesAdded, linesRemoved, at } = change;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/companies/$companyId/notes/$noteId/history" params={{ companyId, noteId }}>
          {title === '' ? 'Untitled' : title}
        </TextLink>
      </Table.Td>
      <Table.Td ta="right">{revision}</Table.Td>
      <Table.Td>{deleted ? 'deleted' : describeLines(linesAdded, linesRemoved)}</Table.Td>
      <Table.Td>
        <RelativeTime at={at} />
      </Table.Td>
    </Table.Tr>
  );
};

const describeLines = (added: number | null, removed: number | null): string =>
  added === null || removed === null ? 'not counted' : `+${added} −${removed}`;
