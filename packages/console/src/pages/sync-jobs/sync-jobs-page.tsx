import { Button, Group, Paper, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { apiOf } from '../../api/api.ts';
import { syncJobQuery } from '../../api/note-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/sync-jobs');

/** A background synchronisation by its id. The API has no list of jobs; the client that starts one gets its id. */
export const SyncJobsPage = () => {
  const { job = '' } = route.useSearch();
  return (
    <>
      <PageHeader
        title="Sync jobs"
        description="Look up a background synchronisation by its job ID"
      />
      <JobForm job={job} key={job} />
      {job !== '' && <SyncJob jobId={job} />}
    </>
  );
};

const JobForm = ({ job }: { readonly job: string }) => {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { job } });
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        navigate({ to: '.', search: { job: values.job.trim() } }),
      )}
    >
      <Group align="end" mb="lg">
        <TextInput label="Job ID" required miw={280} {...form.getInputProps('job')} />
        <Button type="submit">Show</Button>
      </Group>
    </form>
  );
};

const SyncJob = ({ jobId }: { readonly jobId: string }) => {
  const companyId = useCompanyId();
  const { data: job, error } = useQuery(syncJobQuery(companyId, jobId));
  if (error) {
    return <ErrorAlert error={error} />;
  }
  return job ? <JobPanel job={job} /> : <SectionSkeleton height={140} />;
};

const JobPanel = ({ job }: { readonly job: Schema<'SyncJob'> }) => {
  const { status, progress, result, error, createdAt, finishedAt } = job;
  const percent = progress.total === 0 ? 100 : (100 * progress.done) / progress.total;
  const isOpen = status === 'queued' || status === 'running';
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <Group justify="space-between">
          <StatusBadge status={status} />
          {isOpen && <CancelJob jobId={job.jobId} />}
        </Group>
        <Progress
          value={percent}
          size="lg"
          animated={status === 'running'}
          aria-label="Changes processed"
        />
        <Text>
          {progress.done} of {progress.total} changes
        </Text>
        {result && (
          <Text size="sm">
            {Object.entries(result.counts)
              .filter(([, count]) => count > 0)
              .map(([name, count]) => `${count} ${name}`)
              .join(', ') || 'No changes'}
          </Text>
        )}
        {error && <Text c="red">{error.detail}</Text>}
        <Text size="sm" c="dimmed">
          Started <RelativeTime at={createdAt} />
          {finishedAt !== null && (
            <>
              , finished <RelativeTime at={finishedAt} />
            </>
          )}
        </Text>
      </Stack>
    </Paper>
  );
};

const CancelJob = ({ jobId }: { readonly jobId: string }) => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  const can = useCan();
  const cancel = useMutation({
    mutationFn: () => apiOf(companyId).delete('/api/sync/{jobId}', { params: { path: { jobId } } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.syncJob(companyId, jobId) }),
  });
  if (!can.write) {
    return null;
  }
  return (
    <>
      {cancel.isError && <ErrorAlert error={cancel.error} />}
      <Button
        size="xs"
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        Cancel job
      </Button>
    </>
  );
};
