import { Paper, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { Fact } from '../../components/fact.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { describeCharge, describeRunCost } from '../../components/run-cost.ts';
import { runReason } from '../../components/run-reason.ts';
import { useMoney } from '../../components/use-money.ts';
import { RunDuration } from './run-duration.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

/** How a run ended, what it cost and reported. */
export const RunOutcome = ({ run }: { readonly run: Schema<'Run'> }) => {
  const { format } = useMoney();
  const charge = describeCharge(run);
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack gap="xs">
        <SectionTitle>Outcome</SectionTitle>
        <Fact name="Reason">{runReason(run) ?? 'None given'}</Fact>
        <Fact name="Duration">
          <RunDuration run={run} />
        </Fact>
        <Fact name="Cost">
          {describeRunCost(run, format)}
          {run.reservedCents > 0 &&
            !(run.costCents === null && run.reportedCents === null) &&
            `, of ${format(run.reservedCents)} reserved`}
          {charge && (
            <Text size="sm" c="dimmed">
              {charge}
            </Text>
          )}
        </Fact>
        <Fact name="Reported">
          {run.reportedCents === null ? 'no cost' : format(run.reportedCents)},{' '}
          {integer.format(run.inputTokens)} tokens in, {integer.format(run.outputTokens)} out
        </Fact>
        <Fact name="Trigger">{run.trigger}</Fact>
        <Fact name="Finished">
          {run.finishedAt === null ? 'not yet' : <RelativeTime at={run.finishedAt} />}
        </Fact>
      </Stack>
    </Paper>
  );
};

const integer = new Intl.NumberFormat();
