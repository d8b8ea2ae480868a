import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import classes from './bulk-bar.module.css';
import { bulkJob, type BulkJob } from './bulk-job.ts';
import { restOf, tasksBack, type BulkReport } from './bulk-report.ts';
import { BulkResult } from './bulk-result.tsx';
import { countNotes } from '../../components/count-notes.ts';
import { runningWord, type BulkTask } from './bulk-task.ts';
import { runBulk } from './run-bulk.ts';

type BulkSectionProps = {
  readonly label: string;
  readonly companyId: string;
  readonly job: BulkJob | null;
  /** Called after what was begun here has ended. */
  readonly onReport?: (report: BulkReport) => void;
  readonly children?: React.ReactNode;
};

/** The bar over the end of the window: how far a bulk action is, or how it ended, and what else belongs there. */
export const BulkSection = ({ label, companyId, job, onReport, children }: BulkSectionProps) => {
  const client = useQueryClient();
  const panel = useFocusAfterButton(job?.kind);
  const run = async (tasks: readonly BulkTask[], before?: BulkReport): Promise<void> => {
    const report = await runBulk({ client, companyId, tasks, ...(before && { before }) });
    if (report) {
      onReport?.(report);
    }
  };
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={label}
      className={`panel bulk-bar ${classes['bar']}`}
    >
      {job?.kind === 'running' && <Running {...job} />}
      {job?.kind === 'ended' && (
        <BulkResult
          companyId={companyId}
          report={job.report}
          onContinue={() => void run(restOf(job.report), job.report)}
          onUndo={() => void run(tasksBack(job.report))}
          onDismiss={() => bulkJob.set(null)}
        />
      )}
      {children}
    </section>
  );
};

/** The button that had the focus is gone. Who does something else meanwhile keeps the focus there. */
const useFocusAfterButton = (kind: BulkJob['kind'] | undefined) => {
  const panel = useRef<HTMLElement>(null);
  const before = useRef(kind);
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost = activeElement === body || activeElement?.closest('[role="dialog"]') !== null;
    if (kind !== before.current && kind !== undefined && isLost) {
      panel.current?.focus();
    }
    before.current = kind;
  }, [kind]);
  return panel;
};

type RunningProps = Extract<BulkJob, { readonly kind: 'running' }>;

const Running = ({ action, ended, total }: RunningProps) => (
  <Group gap="sm">
    <Stack gap={4} flex={1} miw={200}>
      {/* No status: each note would be said. */}
      <Text size="sm">{`${runningWord(action)}: ${ended} of ${countNotes(total)}`}</Text>
      <Progress value={(100 * ended) / total} aria-label={`Progress: ${runningWord(action)}`} />
    </Stack>
    <Button size="xs" variant="default" onClick={() => bulkJob.stop()}>
      Stop
    </Button>
  </Group>
);
