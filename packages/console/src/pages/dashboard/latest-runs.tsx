import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { latestRunsQuery } from '../../api/run-queries.ts';
import { NameLink } from '../../components/links.tsx';
import { PlainList } from '../../components/plain-list.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { PauseButton } from '../agents/pause-button.tsx';

type LatestRunsProps = {
  readonly companyId: string;
  readonly title: string;
  readonly status: 'failed' | 'running';
};

const shownMax = 5;

/** The latest runs of a status, each with a link to its page and a way to pause its agent; nothing if there are none. */
export const LatestRuns = ({ companyId, title, status }: LatestRunsProps) => {
  const query = useQuery(latestRunsQuery(companyId, status));
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  return query.data?.items.length === 0 ? null : (
    <Section title={title} query={query}>
      {({ items }) => (
        <PlainList>
          {items.slice(0, shownMax).map(({ id, agentId, startedAt, finishedAt, reason }) => (
            <Group key={id} component="li" justify="space-between" wrap="nowrap">
              <Text size="sm" truncate title={reason ?? undefined}>
                <NameLink
                  to="/companies/$companyId/runs/$runId"
                  params={{ companyId, runId: id }}
                  size="sm"
                  name={byId.get(agentId)?.name ?? 'An agent'}
                />
                {reason !== null && ` · ${reason}`}
              </Text>
              <Group gap="xs" wrap="nowrap" flex="none">
                <Text span c="dimmed" size="sm">
                  <RelativeTime at={finishedAt ?? startedAt} />
                </Text>
                <PauseButton agent={byId.get(agentId)} isInRow />
              </Group>
            </Group>
          ))}
        </PlainList>
      )}
    </Section>
  );
};
