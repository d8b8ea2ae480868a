import { Breadcrumbs, Paper, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { agentChangesQuery } from '../../api/agent-overview-queries.ts';
import { itemsOf } from '../../api/pages.ts';
import { BudgetBar, TokenBar } from '../../components/budget-bar.tsx';
import { CopyableId } from '../../components/copyable.tsx';
import { NameLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { NoteChanges } from '../../components/note-changes.tsx';
import { Panel } from '../../components/panel.tsx';
import { UndoneNotice } from '../undo/undone-notice.tsx';
import { AgentCredentials } from './agent-credentials.tsx';
import { AgentNow } from './agent-now.tsx';
import { AgentSpending } from './agent-spending.tsx';
import { describeGrants } from './grant-choice.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

type Agent = Schema<'Agent'>;

/** What an agent does, what it cost, what it changed, what it may use, and where it belongs. */
export const AgentOverview = ({ agent }: { readonly agent: Agent }) => (
  <SimpleGrid cols={{ base: 1, md: 2 }}>
    <AgentNow agent={agent} />
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <SectionTitle>Budget</SectionTitle>
        <BudgetBar
          spentCents={agent.budget.spentCents}
          reservedCents={agent.budget.reservedCents}
          limitCents={agent.budget.monthlyCents}
        />
        <TokenBar spentTokens={agent.budget.spentTokens} limitTokens={agent.budget.monthlyTokens} />
        <Text size="sm" c="dimmed">
          Resets <RelativeTime at={agent.budget.periodEnd} />
        </Text>
      </Stack>
    </Paper>
    <Panel title="Notes it changed">
      <UndoneNotice
        companyId={agent.companyId}
        entityId={agent.id}
        what={`what ${agent.name} wrote`}
      />
      <AgentChanges agent={agent} />
    </Panel>
    <AgentSpending agent={agent} />
    <Panel title="Keys and connections">
      <AgentCredentials agent={agent} />
    </Panel>
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <SectionTitle>Chain of command</SectionTitle>
        <ChainOfCommand agent={agent} />
        <Text size="sm" c="dimmed">
          Created <RelativeTime at={agent.createdAt} />, updated{' '}
          <RelativeTime at={agent.updatedAt} />
        </Text>
        {agent.grants && <Text size="sm">Reaches {describeGrants(agent.grants)}</Text>}
        <CopyableId label="Agent ID" text={agent.id} />
      </Stack>
    </Paper>
  </SimpleGrid>
);

/** So many pages, each of which the server finds among thousands of versions, are read without a press. */
const emptyPagesMax = 5;

const AgentChanges = ({ agent: { companyId, id } }: { readonly agent: Agent }) => {
  const query = useInfiniteQuery(agentChangesQuery(companyId, id));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isEmpty = itemsOf(data).length === 0;
  const mayLookOn = isEmpty && hasNextPage && (data?.pages.length ?? 0) < emptyPagesMax;
  useEffect(() => {
    if (mayLookOn && !isFetching && !isError) {
      void fetchNextPage();
    }
  }, [mayLookOn, isFetching, isError, fetchNextPage]);
  return <NoteChanges companyId={companyId} query={query} nothing="It has not changed a note." />;
};

const ReportsTo = () => (
  <>
    <span aria-hidden>←</span>
    <VisuallyHidden>reports to</VisuallyHidden>
  </>
);

const ChainOfCommand = ({ agent }: { readonly agent: Agent }) => {
  const { companyId, chainOfCommand } = agent;
  if (chainOfCommand.length === 0) {
    return <Text>Reports to no one.</Text>;
  }
  return (
    <nav aria-label="Chain of command">
      <Breadcrumbs separator={<ReportsTo />} style={{ flexWrap: 'wrap' }}>
        <Text fw={600} component="div">
          <Name>{agent.name}</Name>
        </Text>
        {chainOfCommand.map(({ id, name, role }) => (
          <NameLink
            key={id}
            to="/companies/$companyId/agents/$agentId"
            params={{ companyId, agentId: id }}
            name={name}
          >
            {name} ({role})
          </NameLink>
        ))}
      </Breadcrumbs>
    </nav>
  );
};
