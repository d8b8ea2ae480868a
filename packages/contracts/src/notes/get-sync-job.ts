import { routeContract } from '../route-contract.ts';
import { syncJob, syncJobParams } from './sync-job.ts';

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
