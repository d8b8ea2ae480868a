import { z } from 'zod';
import { byNoteReaders, byNoteWriters } from '../access.ts';
import { pageOf, pageQuery, timestamp } from '../common.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { jobId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { syncBytesMax, syncRequest, syncResult } from './sync.ts';

export const syncJobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);
export type SyncJobStatus = z.infer<typeof syncJobStatus>;

/** The receipt of a background synchronisation. */
export const syncJobReceipt = z
  .object({ jobId, status: z.literal('queued') })
  .meta({ id: 'SyncJobReceipt', description: 'The request is stored and will be processed' });

/** A background synchronisation without its result. */
export const syncJobSummary = z
  .object({
    jobId,
    status: syncJobStatus,
    progress: z.object({ done: z.int(), total: z.int() }).meta({ description: 'In changes' }),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
      })
      .nullable(),
    createdBy: namedAuthor,
    clientId: z.string().nullable().meta({
      description:
        'The client that ordered it; null: none was named, or an earlier release stored it',
    }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'SyncJobSummary', description: 'A background synchronisation without its result' });
export type SyncJobSummary = z.infer<typeof syncJobSummary>;

/** A background synchronisation. */
export const syncJob = z
  .object({ ...syncJobSummary.shape, result: syncResult.nullable() })
  .meta({ id: 'SyncJob', description: 'A background synchronisation; kept for 7 days' });
export type SyncJob = z.infer<typeof syncJob>;

export const syncJobParams = z.object({ jobId });

export const runSyncContract = routeContract({
  operationId: 'runSync',
  service: 'notes',
  method: 'post',
  path: '/api/sync',
  tag: 'Synchronisation',
  summary: 'Push and pull changes',
  description: `One round trip: applies the changes in order, then returns everything that changed since the cursor, in a new
snapshot that includes the push. An empty body is a full pull from the start.

A cursor never passes a change that commits later. Mutations are idempotent per company, caller, client and
\`mutationId\`: a retry returns the first result, marked \`replayed\`. If its note was deleted since, \`changes\` has the tombstone, even
in a first pull, which otherwise omits deletions (for example after 410). So apply results before \`changes\`, and the
higher revision in each. A concurrent edit is merged line by line on the revision it was based on; what cannot be
merged is kept as a conflict copy, a note with \`conflictOf\`. An edit wins over a deletion.

At most 500 changes and 8 MiB are processed in the foreground. With \`mode: "background"\` (or \`Prefer: respond-async\`)
up to 10,000 changes and 32 MiB are stored and processed in the background: 202.

An agent needs the scope \`notes:write\` as well to send changes or to process in the background.`,
  headers: { Prefer: '`respond-async`: process in the background.' },
  body: syncRequest,
  bodyBytesMax: syncBytesMax.background,
  responses: {
    200: { description: 'The results of the changes, and the pulled changes', schema: syncResult },
    202: {
      description: 'Stored; processing continues in the background',
      schema: syncJobReceipt,
      headers: { Location: { description: 'The URL of the job' } },
    },
  },
  errors: ['cursor_expired', 'role_insufficient'],
  access: {
    ...byNoteReaders(),
    state: 'handler',
  },
});

export const listSyncJobsContract = routeContract({
  operationId: 'listSyncJobs',
  service: 'notes',
  method: 'get',
  path: '/api/sync',
  tag: 'Synchronisation',
  summary: 'List background synchronisations',
  description: 'Those of the last 7 days without their results, newest first.',
  query: z.object(pageQuery),
  responses: {
    200: { description: 'One page of jobs', schema: pageOf(syncJobSummary) },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'never',
    operators: 'operator',
  },
});

export const getSyncJobContract = routeContract({
  operationId: 'getSyncJob',
  service: 'notes',
  method: 'get',
  path: '/api/sync/{jobId}',
  tag: 'Synchronisation',
  summary: 'Read a background synchronisation',
  description:
    'Agents can read their own jobs, operators and owners all jobs of the company. A job has the grants with which it ' +
    'was ordered, and fails with `folder_not_granted` once its agent has fewer; a credential with grants is shown ' +
    'the notes of its result that it reaches now.',
  params: syncJobParams,
  responses: {
    200: {
      description: 'The job',
      schema: syncJob,
      headers: {
        'Retry-After': {
          description: 'Seconds until the next poll, while the job is running',
          isOptional: true,
        },
      },
    },
  },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'operator',
    entities: { jobId: 'job' },
  },
});

export const cancelSyncJobContract = routeContract({
  operationId: 'cancelSyncJob',
  service: 'notes',
  method: 'delete',
  path: '/api/sync/{jobId}',
  tag: 'Synchronisation',
  summary: 'Cancel a job',
  params: syncJobParams,
  responses: { 204: { description: 'No further changes are applied' } },
  errors: ['not_found', 'job_finished'],
  access: {
    ...byNoteWriters('jobId'),
    state: 'any',
  },
});
