import { Group, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { lastFailureQuery, presentRunsQuery, runsShown } from '../../api/agent-overview-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { ChangedNotes } from '../../components/changed-notes.tsx';
import { TextLink } from '../../components/links.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { runReason } from '../../components/run-reason.ts';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { CancelRun } from '../runs/cancel-run.tsx';
import { RunDuration } from '../runs/run-duration.tsx';
import { RunLink } from '../runs/run-link.tsx';
import { RunProposals } from '../runs/run-proposals.tsx';
import { StopAndUndo } from '../undo/stop-and-undo.tsx';
import { UndoneNotice } from '../undo/undone-notice.tsx';

type Agent = Schema<'Agent'>;
type Run = Schema<'Run'>;

/** What an agent does now or did last, which notes that changed, and its last failure. */
export const AgentNow = ({ agent }: { readonly agent: Agent }) => {
  const { companyId, id } = agent;
  const query = useQuery(presentRunsQuery(companyId, id));
  const isRunning = query.data?.[0]?.status === 'running';
  return (
    <Section title={isRunning ? 'Running now' : 'Last run'} query={query}>
      {(runs) => (
        <>
          {runs.length === 0 && (
            <Text size="sm" c="dimmed">
              It has not run yet.
            </Text>
          )}
          {runs.slice(0, runsShown).map((run) => (
            <PresentRun key={run.id} run={run} agent={agent} />
          ))}
          {runs.length > runsShown && (
            <TextLink
              to="/companies/$companyId/runs"
              params={{ companyId }}
              search={{ agent: id, state: 'running' }}
              size="sm"
            >
              and more running runs
            </TextLink>
          )}
          <LastFailure agent={agent} shownRunId={runs[0]?.id ?? null} />
        </>
      )}
    </Section>
  );
};

const PresentRun = ({ run, agent }: { readonly run: Run; readonly agent: Agent }) => {
  const can = useCan();
  const isRunning = run.status === 'running';
  const reason = runReason(run);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StatusBadge status={run.status} />
        <RunLink run={run} />
        <Text size="sm">
          {isRunning ? (
            <>
              for <RunDuration run={run} />
            </>
          ) : (
            <>
              <RelativeTime at={run.finishedAt ?? run.startedAt} />, took <RunDuration run={run} />
            </>
          )}
        </Text>
        {can.write && isRunning && <CancelRun run={{ ...run, agentName: agent.name }} />}
      </Group>
      {reason !== null && (
        <Text size="sm" lineClamp={3} className="any-script">
          {reason}
        </Text>
      )}
      <ChangedNotes run={run}>
        <StopAndUndo
          size="xs"
          companyId={run.companyId}
          agentId={run.agentId}
          source={{ runId: run.id }}
          what={`what run ${run.id.slice(-8)} wrote`}
          isEnded={!isRunning}
        />
      </ChangedNotes>
      <RunProposals companyId={run.companyId} runId={run.id} />
      <UndoneNotice
        companyId={run.companyId}
        entityId={run.id}
        what={`what run ${run.id.slice(-8)} wrote`}
      />
    </Stack>
  );
};

type LastFailureProps = { readonly agent: Agent; readonly shownRunId: string | null };

/** Nothing if there was none, or if it is the run that is shown already. */
const LastFailure = ({ agent: { companyId, id }, shownRunId }: LastFailureProps) => {
  const { data: run } = useQuery(lastFailureQuery(companyId, id));
  if (!run || run.id === shownRunId) {
    return null;
  }
  const reason = runReason(run);
  return (
    <Text size="sm" lineClamp={4} className="any-script">
      Last failure: <RunLink run={run} /> <RelativeTime at={run.finishedAt ?? run.startedAt} />
      {reason === null ? '' : `, ${reason}`}
    </Text>
  );
};
