import { Badge, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { instanceQuery } from '../../api/instance-queries.ts';
import { RequirePermission } from '../../app/session/require-permission.tsx';
import { FailedLoad } from '../../components/failed-load.tsx';
import { Fact } from '../../components/fact.tsx';
import { formatBytes } from '../../components/format-bytes.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { PageSkeleton } from '../../components/skeletons.tsx';
import { Findings } from './findings.tsx';
import { ServiceTable } from './service-table.tsx';

type Instance = Schema<'Instance'>;

/** Version, services, database, work, last backup and checks of the instance. For administrators. */
export const InstancePage = () => (
  <RequirePermission permission="administrate">
    <InstanceState />
  </RequirePermission>
);

const InstanceState = () => {
  const query = useQuery(instanceQuery);
  const { data: instance } = query;
  if (query.isPending) {
    return <PageSkeleton />;
  }
  return (
    <>
      <PageHeader
        title="Instance"
        description={
          instance && (
            <>
              Commonplace {instance.version}, {describeMode(instance.mode)}. Updated{' '}
              <RelativeTime at={instance.at} />.
            </>
          )
        }
      />
      <FailedLoad query={query} />
      {instance && (
        <Stack gap="lg">
          <Panel title="Services">
            <ServiceTable services={instance.services} />
          </Panel>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Database database={instance.database} />
            <LastBackup backup={instance.backup} isKnown={instance.database !== null} />
          </SimpleGrid>
          <Work work={instance.work} />
          <Findings findings={instance.findings} />
        </Stack>
      )}
    </>
  );
};

const describeMode = (mode: Instance['mode']): string =>
  mode === 'authenticated'
    ? 'in authenticated mode: operators sign in'
    : 'in local trusted mode: every program on this machine acts as the operator';

const Unavailable = ({ children }: { readonly children: React.ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

const count = new Intl.NumberFormat('en');

const Database = ({ database }: Pick<Instance, 'database'>) => (
  <Panel title="Database">
    {database === null ? (
      <Unavailable>PostgreSQL is unavailable.</Unavailable>
    ) : (
      <>
        <Fact name="PostgreSQL" width={100}>
          {database.version}
        </Fact>
        <Fact name="Size" width={100}>
          {formatBytes(database.sizeBytes)}
        </Fact>
        <Fact name="Connections" width={100}>
          {database.connections.used} of {database.connections.max}
        </Fact>
      </>
    )}
  </Panel>
);

type LastBackupProps = Pick<Instance, 'backup'> & {
  /** Whether the database, which knows it, responded. */
  readonly isKnown: boolean;
};

const LastBackup = ({ backup, isKnown }: LastBackupProps) => (
  <Panel title="Last backup">
    {backup === null && !isKnown && (
      <Unavailable>Unknown while PostgreSQL is unavailable.</Unavailable>
    )}
    {backup === null && isKnown && (
      <>
        <div>
          <Badge variant="light" color="yellow">
            none is known
          </Badge>
        </div>
        <Unavailable>
          “pnpm backup” makes one; those made by other means are not listed here.
        </Unavailable>
      </>
    )}
    {backup !== null && (
      <>
        <Fact name="Finished" width={100}>
          <RelativeTime at={backup.finishedAt} />
        </Fact>
        <Fact name="Content" width={100}>
          {count.format(backup.rows)} rows
          {backup.bytes !== null && `, ${formatBytes(backup.bytes)}`}
        </Fact>
        <Fact name="Verified" width={100}>
          {backup.isVerified
            ? 'yes, it was read back'
            : 'no, it was written to standard output: keep the file, and test a restore'}
        </Fact>
      </>
    )}
  </Panel>
);

const Work = ({ work }: Pick<Instance, 'work'>) => (
  <Panel title="Streams and queues">
    {work === null ? (
      <Unavailable>Unknown while the notes service does not respond.</Unavailable>
    ) : (
      <>
        <Fact name="Event streams" width={140}>
          {work.eventStreams} open, in the process that responded
        </Fact>
        <Fact name="Write queue" width={140}>
          {changes(work.writeQueue)}, in the process that responded
        </Fact>
        <Fact name="Sync jobs" width={140}>
          {work.syncJobs.waiting} waiting, {work.syncJobs.running} running
          {work.syncJobs.waiting + work.syncJobs.running > 0 &&
            `, the oldest for ${formatDuration(work.syncJobs.oldestSeconds * 1000)}`}
        </Fact>
        <Fact name="Search index" width={140}>
          {backlog(work.searchRebuildChanges)}
        </Fact>
        <Fact name="Folders and links" width={140}>
          {backlog(work.catalogBackfillChanges)}
        </Fact>
      </>
    )}
  </Panel>
);

const changes = (number: number): string =>
  `${count.format(number)} ${number === 1 ? 'change' : 'changes'}`;

/** Work that an upgrade leaves to the background. */
const backlog = (number: number): string =>
  number === 0 ? 'up to date' : `${changes(number)} of earlier releases left`;
