import { Button, Group, Paper, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { syncJobQuery } from '../../api/sync-job-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { CopyableId } from '../../components/copyable.tsx';
import { Ending } from '../../components/ending.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { nameOfAuthor } from '../../components/name-of-author.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { SyncJobList } from './sync-job-list.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/sync-jobs');

/** The background synchronisations of the company, or one of them. Viewers may see neither, and look up none. */
export const SyncJobsPage = () => {
  const { job = '' } = route.useSearch();
  const { role } = useCan();
  return (
    <>
      <PageHeader
        title="Sync jobs"
        description="Synchronisations in the background: who ordered them, and how far they are"
      />
      <JobForm job={job} key={job} />
      {job !== '' && <SyncJob jobId={job} />}
      {job === '' && role !== 'viewer' && <SyncJobList />}
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
        <Button type="submit" variant="default">
          Show
        </Button>
        {job !== '' && (
          <ButtonLink to="." search={{}} variant="subtle">
            All jobs
          </ButtonLink>
        )}
      </Group>
    </form>
  );
};

const SyncJob = ({ jobId }: { readonly jobId: string }) => {
  const companyId = useCompanyId();
  const { data: job, error } = useQuery(syncJobQuery(companyId, jobId));
  if (error && !job) {
    return <ErrorAlert error={error} />;
  }
  return job ? <JobPanel key={job.jobId} job={job} /> : <SectionSkeleton height={140} />;
};

const JobPanel = ({ job }: { readonly job: Schema<'SyncJob'> }) => {
  const { status, progress, result, error, createdBy, clientId, createdAt, finishedAt } = job;
  const percent = progress.total === 0 ? 100 : (100 * progress.done) / progress.total;
  const isOpen = status === 'queued' || status === 'running';
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <Group justify="space-between">
          <StatusBadge status={status} />
          <Ending isOpen={isOpen} text={`Job ${status}`} />
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
          Ordered by <Name>{nameOfAuthor(createdBy)}</Name>
          {clientId !== null && ` from the client ${clientId}`} <RelativeTime at={createdAt} />
          {finishedAt !== null && (
            <>
              , finished <RelativeTime at={finishedAt} />
            </>
          )}
        </Text>
        <CopyableId label="Job" text={job.jobId} />
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
    onSettled: reloadWhenSettled(() =>
      client.invalidateQueries({ queryKey: keys.syncJob(companyId, jobId) }),
    ),
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
