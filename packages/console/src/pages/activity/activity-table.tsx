import { Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { IconActivity } from '@tabler/icons-react';
import { useState } from 'react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { activityQuery, type ActivityFilter } from '../../api/company-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { useMoney } from '../../components/use-money.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Name } from '../../components/name.tsx';
import { ExactTime } from '../../components/exact-time.tsx';
import { RunLink } from '../runs/run-link.tsx';
import { byDay } from './by-day.ts';
import { describeAction } from './describe-action.ts';
import { describeDetail } from './describe-detail.ts';
import { runIdOf } from './detail-parts.ts';
import { foldText } from './fold-text.ts';
import { UndoOfEntry } from './undo-of-entry.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { useActorNames } from '../../components/use-actor-names.ts';

/** The audit log of a company or of one entity, newest first, by day. */
export const ActivityTable = ({ filter }: { readonly filter: ActivityFilter }) => {
  const query = useInfiniteQuery(activityQuery(useCompanyId(), filter));
  return (
    <ListBody
      query={query}
      found={{ noun: 'action', filter }}
      empty={<EmptyState icon={IconActivity} title="No activity" />}
    >
      {(entries) => (
        <TableScroll label="Activity" minWidth={480}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Action</Table.Th>
                <Table.Th miw={170}>Actor</Table.Th>
                <Table.Th>Time</Table.Th>
              </Table.Tr>
            </Table.Thead>
            {byDay(entries).map((each) => (
              <Table.Tbody key={each.day}>
                <Table.Tr>
                  <Table.Th scope="rowgroup" colSpan={3}>
                    {each.day}
                  </Table.Th>
                </Table.Tr>
                {each.entries.map((entry) => (
                  <ActivityRow key={entry.id} entry={entry} shownId={filter.entityId} />
                ))}
              </Table.Tbody>
            ))}
          </Table>
        </TableScroll>
      )}
    </ListBody>
  );
};

type ActivityRowProps = {
  readonly entry: Schema<'ActivityEntry'>;
  /** The entity whose entries are shown. */
  readonly shownId: string | undefined;
};

const ActivityRow = ({ entry, shownId }: ActivityRowProps) => {
  const companyId = useCompanyId();
  const { data: agents } = useQuery(allAgentsQuery(companyId));
  const money = useMoney();
  const runId = runIdOf(entry);
  const { members } = useActorNames();
  const nameOf = (id: unknown) =>
    agents === undefined
      ? '…'
      : (agents.find((agent) => agent.id === id)?.name ??
        members.find(([memberId]) => memberId === id)?.[1]);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {describeAction(entry.action)}
        </Text>
        <Detail text={describeDetail(entry, { nameOf, money })} />
        {runId !== null && runId !== shownId && (
          <Text size="sm" c="dimmed">
            Run <RunLink run={{ companyId, id: runId }} />
          </Text>
        )}
        {entry.action === 'notes.undone' && <UndoOfEntry entry={entry} nameOf={nameOf} />}
      </Table.Td>
      <Table.Td>
        <Name>{entry.actor.name}</Name>{' '}
        <Text span size="sm" c="dimmed">
          ({entry.actor.kind === 'operator' ? 'person' : entry.actor.kind}
          {entry.actor.emailVerified === false && ', unverified email'})
        </Text>
      </Table.Td>
      <Table.Td>
        <ExactTime at={entry.at} isOfDay />
      </Table.Td>
    </Table.Tr>
  );
};

/** A long text is unfolded, and so is one with ids, to their whole length. */
const Detail = ({ text }: { readonly text: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  if (text === '') {
    return null;
  }
  const folded = foldText(text);
  return folded === null ? (
    <Text size="sm" c="dimmed" className="any-script">
      {text}
    </Text>
  ) : (
    <Text
      size="sm"
      c="dimmed"
      component="details"
      className="any-script"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{isOpen ? text : folded}</summary>
    </Text>
  );
};
