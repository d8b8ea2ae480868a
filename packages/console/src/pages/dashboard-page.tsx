import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../api/agent-queries.ts';
import { companyQuery } from '../api/company-queries.ts';
import { latestNotesQuery, waitingConflictsQuery } from '../api/dashboard-queries.ts';
import { recentRunsQuery } from '../api/run-queries.ts';
import { useCompanyId } from '../app/use-company-id.ts';
import { BudgetBar } from '../components/budget-bar.tsx';
import { ErrorAlert } from '../components/error-alert.tsx';
import { TextLink } from '../components/links.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { RelativeTime } from '../components/relative-time.tsx';

const states = ['active', 'paused', 'terminated'] as const;

/** The company at a glance; everything leads to its page. */
export const DashboardPage = () => {
  const companyId = useCompanyId();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  const agents = useQuery(allAgentsQuery(companyId));
  const count = (state: string) => agents.data?.filter(({ status }) => status === state).length;
  return (
    <>
      <PageHeader title="Dashboard" description={company.name} />
      {agents.isError && <ErrorAlert error={agents.error} />}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} mb="lg">
        {states.map((status) => (
          <Figure key={status} value={count(status)} label={`agents ${status}`}>
            <TextLink
              to="/companies/$companyId/agents"
              params={{ companyId }}
              search={{ status }}
              size="sm"
            >
              Show
            </TextLink>
          </Figure>
        ))}
        <RunsNow companyId={companyId} />
        <Conflicts companyId={companyId} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Budgets companyId={companyId} />
        <LatestNotes companyId={companyId} />
      </SimpleGrid>
    </>
  );
};

type FigureProps = {
  readonly value: number | string | undefined;
  readonly label: string;
  readonly children: React.ReactNode;
};

const Figure = ({ value, label, children }: FigureProps) => (
  <Paper className="panel" withBorder p="md">
    <Text fz={28} fw={650} lh={1.2}>
      {value ?? '–'}
    </Text>
    <Text c="dimmed" size="sm">
      {label}
    </Text>
    {children}
  </Paper>
);

type SectionProps = { readonly companyId: string };

const RunsNow = ({ companyId }: SectionProps) => {
  const { data: runs } = useQuery({ ...recentRunsQuery(companyId), refetchInterval: 10_000 });
  return (
    <Figure value={runs?.filter(({ status }) => status === 'running').length} label="running now">
      <TextLink
        to="/companies/$companyId/runs"
        params={{ companyId }}
        search={{ state: 'running' }}
        size="sm"
      >
        Show
      </TextLink>
    </Figure>
  );
};

const Conflicts = ({ companyId }: SectionProps) => {
  const { data } = useQuery(waitingConflictsQuery(companyId));
  const value = data && `${data.items.length}${data.nextCursor === null ? '' : '+'}`;
  return (
    <Figure value={value} label="conflicts waiting">
      <TextLink
        to="/companies/$companyId/notes"
        params={{ companyId }}
        search={{ show: 'conflicts' }}
        size="sm"
      >
        Show
      </TextLink>
    </Figure>
  );
};

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** The sum over all agents; without a limit as soon as one of them has none. */
const Budgets = ({ companyId }: SectionProps) => {
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const living = agents.filter(({ status }) => status !== 'terminated');
  const limits = living.map(({ budget }) => budget.monthlyCents);
  const isLimited = limits.length > 0 && limits.every((limit) => limit !== null);
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <Title order={2} size="h3">
          Budget of the month
        </Title>
        <BudgetBar
          spentCents={sum(agents.map(({ budget }) => budget.spentCents))}
          reservedCents={sum(agents.map(({ budget }) => budget.reservedCents))}
          limitCents={isLimited ? sum(limits.map((limit) => limit ?? 0)) : null}
        />
      </Stack>
    </Paper>
  );
};

const LatestNotes = ({ companyId }: SectionProps) => {
  const { data } = useQuery(latestNotesQuery(companyId));
  const notes = data?.items ?? [];
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack gap="xs">
        <Title order={2} size="h3">
          Notes changed lately
        </Title>
        {notes.length === 0 && <Text c="dimmed">No notes yet.</Text>}
        {notes.map(({ id, title, updatedAt }) => (
          <Text key={id} size="sm" truncate>
            <TextLink
              to="/companies/$companyId/notes/$noteId"
              params={{ companyId, noteId: id }}
              fz="inherit"
            >
              {title === '' ? 'Untitled' : title}
            </TextLink>{' '}
            <Text span c="dimmed" size="sm">
              <RelativeTime at={updatedAt} />
            </Text>
          </Text>
        ))}
      </Stack>
    </Paper>
  );
};
