import type { Schema } from '@commonplace/client';
import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { ChangedNotes } from './changed-notes.tsx';
import { TextLink } from './links.tsx';

type Run = Schema<'Run'>;

type CancelledRunsProps = {
  /** "Ada paused, 2 runs cancelled." */
  readonly text: string;
  readonly runs: readonly Run[];
};

const shownMax = 3;

/** Which runs were cancelled, what each changed, and the ways to look at that and to undo it. */
export const CancelledRuns = ({ text, runs }: CancelledRunsProps) => (
  <Stack gap={4}>
    <Text span size="sm" className="any-script">
      {text}
    </Text>
    {runs.slice(0, shownMax).map((run) => (
      <div key={run.id}>
        {runs.length > 1 && (
          <Text span size="sm" ff="monospace">
            {run.id.slice(-8)}
          </Text>
        )}
        <ChangedNotes run={{ ...run, status: 'cancelled' }}>
          <TextLink
            to="/companies/$companyId/runs/$runId"
            params={{ companyId: run.companyId, runId: run.id }}
            search={{ undo: 'new' }}
            size="sm"
          >
            Undo…<VisuallyHidden>{` run ${run.id.slice(-8)}`}</VisuallyHidden>
          </TextLink>
        </ChangedNotes>
      </div>
    ))}
    {runs[shownMax] && <AllOf run={runs[shownMax]} />}
  </Stack>
);

const AllOf = ({ run: { companyId, agentId } }: { readonly run: Run }) => (
  <TextLink
    to="/companies/$companyId/runs"
    params={{ companyId }}
    search={{ agent: agentId, state: 'cancelled' }}
    size="sm"
  >
    All that were cancelled
  </TextLink>
);
