import { z } from 'zod';
import { byAdministrators } from '../access.ts';
import { deploymentMode } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

const serviceState = z
  .object({
    name: z.enum(['auth', 'agents', 'notes']),
    isReady: z.boolean(),
    reason: z.string().nullable().meta({ description: 'Why it is not ready' }),
    migration: z.string().nullable().meta({
      description: 'The newest migration of its schema; null if it did not respond',
    }),
  })
  .meta({ id: 'ServiceState', description: 'Whether a service can serve requests' });

const databaseState = z
  .object({
    version: z.string().meta({ description: 'The version of PostgreSQL' }),
    sizeBytes: z.int(),
    connections: z.object({ used: z.int(), max: z.int() }),
  })
  .meta({ id: 'DatabaseState', description: 'PostgreSQL as the auth service sees it' });

/** The work of the notes service that is queued or in progress. */
export const noteWork = z
  .object({
    eventStreams: z.int().meta({
      description: 'Event streams and long polls of the process that responded',
    }),
    writeQueue: z.int().meta({
      description:
        'Changes of notes that wait or are in a transaction, in the process that responded',
    }),
    syncJobs: z.object({
      waiting: z.int(),
      running: z.int(),
      oldestSeconds: z.number().meta({ description: 'The age of the oldest; 0 without jobs' }),
    }),
    searchRebuildChanges: z.int().meta({
      description: 'Changes of notes that are not in the search index of this release yet',
    }),
    catalogBackfillChanges: z.int().meta({
      description: 'Changes of notes that are not in the catalog of folders, tags and links yet',
    }),
  })
  .meta({ id: 'NoteWork', description: 'Work of the notes service, queued or in progress' });
export type NoteWork = z.input<typeof noteWork>;

const backup = z
  .object({
    finishedAt: timestamp,
    rows: z.int(),
    bytes: z.int().nullable().meta({ description: 'Null for one written to standard output' }),
    isVerified: z.boolean().meta({
      description: 'Whether the file was read back; one written to standard output is not',
    }),
  })
  .meta({ id: 'BackupRecord', description: 'A backup that `pnpm backup` finished' });

const finding = z
  .object({
    check: z.string(),
    state: z.enum(['ok', 'warning', 'failure', 'skipped']),
    detail: z.string(),
    todo: z.string().optional().meta({ description: 'How to fix it' }),
  })
  .meta({ id: 'Finding', description: 'What a check of the doctor found' });

/** The state of an instance. */
export const instance = z
  .object({
    version: z.string().meta({ description: 'The release of the auth service' }),
    mode: deploymentMode,
    at: timestamp,
    services: z.array(serviceState),
    database: databaseState.nullable().meta({ description: 'Null while it is unavailable' }),
    work: noteWork.nullable().meta({ description: 'Null while the notes service is unavailable' }),
    backup: backup.nullable().meta({ description: 'The last known backup; null: none is known' }),
    findings: z.array(finding).meta({
      description: 'The checks of `pnpm run doctor` that the auth service can make itself',
    }),
  })
  .meta({ id: 'Instance', description: 'The state of this instance' });
export type Instance = z.input<typeof instance>;

/** Describes the instance, for administrators. */
export const getInstanceContract = routeContract({
  operationId: 'getInstance',
  service: 'auth',
  method: 'get',
  path: '/api/instance',
  tag: 'Operators',
  summary: 'Get the state of the instance',
  description:
    'Version, services, database, queued work, last backup and checks. A part that is unavailable is ' +
    'null or not ready; the response is 200 all the same.',
  responses: { 200: { description: 'The state', schema: instance } },
  errors: [],
  access: byAdministrators,
});
