import { Code, Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconPlayerPlay } from '@tabler/icons-react';
import { agentQuery } from '../../api/agent-queries.ts';
import { isNotInCompany } from '../../api/problems.ts';
import { runQuery } from '../../api/run-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { CopyIconButton } from '../../components/copyable.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Ending } from '../../components/ending.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Fact } from '../../components/fact.tsx';
import { ButtonLink, NameLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { PageSkeleton } from '../../components/skeletons.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOpenedByAddress } from '../../components/use-opened-by-address.ts';
import { ActivityTable } from '../activity/activity-table.tsx';
import { PauseButton } from '../agents/pause-button.tsx';
import { StopAndUndo } from '../undo/stop-and-undo.tsx';
import { UndoneNotice } from '../undo/undone-notice.tsx';
import { useUndoByAddress } from '../undo/use-undo-by-address.ts';
import { CancelRun, useCancelRun } from './cancel-run.tsx';
import { RunChanges } from './run-changes.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { RunProposals } from './run-proposals.tsx';
import { RunReports } from './run-reports.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/runs/$runId');

/** One run: its outcome and cost, what it wrote, its renewals and its end. */
export const RunPage = () => {
  const companyId = useCompanyId();
  const { runId } = route.useParams();
  const { data: run, error, refetch } = useQuery(runQuery(companyId, runId));
  if (run === undefined) {
    return error === null ? (
      <PageSkeleton />
    ) : (
      <NoRun error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <RunHeader run={run} />
      <Ending key={run.id} isOpen={run.status === 'running'} text={`Run ${run.status}`} />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <RunOutcome run={run} />
          <Credential run={run} />
        </SimpleGrid>
        <Paper className="panel" withBorder p="lg">
          <Title order={2} size="h3" mb="sm">
            What it wrote
          </Title>
          <Stack gap="sm">
            <UndoneNotice companyId={companyId} entityId={run.id} what="what this run wrote" />
            <RunProposals companyId={companyId} runId={run.id} />
            <RunChanges run={run} />
          </Stack>
        </Paper>
        <Paper className="panel" withBorder p="lg">
          <Title order={2} size="h3" mb="sm">
            What it used
          </Title>
          <RunReports run={run} />
        </Paper>
        <Paper className="panel" withBorder p="lg">
          <Title order={2} size="h3" mb="sm">
            Start, renewals and end
          </Title>
          <ActivityTable filter={{ entityId: run.id }} />
        </Paper>
      </Stack>
    </>
  );
};

type NoRunProps = { readonly error: Error; readonly onRetry: () => void };

const NoRun = ({ error, onRetry }: NoRunProps) =>
  isNotInCompany(error) ? (
    <EmptyState icon={IconPlayerPlay} title="No such run" isPage>
      It is not in this company.
    </EmptyState>
  ) : (
    <>
      <PageHeader title="Run" />
      <ErrorAlert error={error} onRetry={onRetry} />
    </>
  );

type RunProps = { readonly run: Schema<'Run'> };

const useAgent = ({ companyId, agentId }: Schema<'Run'>) => {
  const { data: agent } = useQuery(agentQuery(companyId, agentId));
  return { agent, agentName: agent?.name ?? 'an agent' };
};

const RunHeader = ({ run }: RunProps) => {
  const { companyId } = run;
  const can = useCan();
  const { agent, agentName } = useAgent(run);
  const undone = {
    companyId,
    agentId: run.agentId,
    source: { runId: run.id },
    what: 'what this run wrote',
    isEnded: run.status !== 'running',
  };
  const { undo, open } = route.useSearch();
  const { confirmCancel } = useCancelRun();
  useOpenedByAddress({
    open,
    wanted: 'cancel',
    mayOpen: can.write && run.status === 'running',
    openDialog: () => confirmCancel({ ...run, agentName }),
  });
  const openUndo = useUndoByAddress({ undo, mayOpen: can.write, undone });
  return (
    <PageHeader
      title={`Run of ${agentName}`}
      description={
        <>
          <StatusBadge status={run.status} /> started <RelativeTime at={run.startedAt} />
        </>
      }
      actions={
        <>
          <ButtonLink to="/companies/$companyId/runs" params={{ companyId }} variant="default">
            All runs
          </ButtonLink>
          <PauseButton agent={agent} />
          <StopAndUndo {...undone} onOpen={openUndo} />
          {can.write && run.status === 'running' && (
            <CancelRun run={{ ...run, agentName }} size="sm" />
          )}
        </>
      }
    />
  );
};

const Credential = ({ run }: RunProps) => {
  const { agentName } = useAgent(run);
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack gap="xs">
        <SectionTitle>Credential</SectionTitle>
        <Fact name="Agent">
          <NameLink
            to="/companies/$companyId/agents/$agentId"
            params={{ companyId: run.companyId, agentId: run.agentId }}
            name={agentName}
          />
        </Fact>
        <Fact name="Scopes">{run.scopes.join(', ')}</Fact>
        <Fact name="Token">
          {run.status === 'running' ? 'ends ' : 'ended '}
          <RelativeTime at={run.finishedAt ?? run.tokenExpiresAt} />
        </Fact>
        <Fact name="Run ID">
          <Group gap={6} wrap="nowrap">
            <Code>{run.id}</Code>
            <CopyIconButton label="Run ID" text={run.id} />
          </Group>
        </Fact>
      </Stack>
    </Paper>
  );
};
