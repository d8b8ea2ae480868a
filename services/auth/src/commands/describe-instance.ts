import { readFileSync } from 'node:fs';
import type { Instance } from '@commonplace/contracts/auth';
import { describeAgentsContract, describeNotesContract } from '@commonplace/contracts/internal';
import { databaseFindings, describeDatabase, failure, newestMigration } from '@commonplace/checks';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findLastBackup, type BackupRow } from '../queries/backups.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

type InstanceDeps = Pick<
  Deps,
  'db' | 'clock' | 'deploymentMode' | 'callAgents' | 'callNotes' | 'probeAgents' | 'probeNotes'
>;

type InstanceState = Omit<Instance, 'backup'> & { readonly backup: BackupRow | null };

/** Describes the instance. A part that does not respond in time is null or not ready. */
export const describeInstance = async (
  deps: InstanceDeps,
  requestId: string,
): Promise<InstanceState> => {
  const { db, callNotes } = deps;
  const query = <Row extends object>(text: string) =>
    read(db, 'global', (tx) => tx.query<Row>(text));
  const [agents, agentsReason, notes, notesReason, migration, server, backup, findings] =
    await Promise.all([
      inTime(deps.callAgents(describeAgentsContract, {}, requestId)),
      deps.probeAgents(),
      callNotes && inTime(callNotes(describeNotesContract, {}, requestId)),
      deps.probeNotes ? deps.probeNotes() : 'NOTES_URL of the auth service is not set.',
      inTime(newestMigration(db, 'auth')),
      inTime(describeDatabase(query)),
      inTime(read(db, 'global', findLastBackup)),
      inTime(databaseFindings(query)),
    ]);
  return {
    version,
    mode: deps.deploymentMode,
    at: deps.clock().toISOString(),
    services: [
      stateOf('auth', server === null ? 'PostgreSQL is unavailable.' : null, migration),
      stateOf('agents', agentsReason, agents?.migration ?? null),
      stateOf('notes', notesReason, notes?.migration ?? null),
    ],
    database: server && {
      version: server.version,
      sizeBytes: server.sizeBytes,
      connections: { used: server.used, max: server.max },
    },
    work: notes?.work ?? null,
    backup,
    findings: findings ?? [
      failure('database', 'PostgreSQL is unavailable', 'Is it running, and is its disk full?'),
    ],
  };
};

const stateOf = (
  name: Instance['services'][number]['name'],
  reason: string | null,
  migration: string | null,
): Instance['services'][number] => ({ name, isReady: reason === null, reason, migration });

/** Longer than the wait for a connection. */
const waitMaxMs = 3_000;

/** The result; null if the work fails or takes too long. */
const inTime = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), waitMaxMs);
  try {
    return await Promise.race([work, late.promise]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
};
