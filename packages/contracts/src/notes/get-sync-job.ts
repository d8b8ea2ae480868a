import { routeContract } from '../route-contract.ts';
import { syncJob, syncJobParams } from './sync-job.ts';

export const getSyncJobContract = routeContract({
  operationId: 'getSyncJob',
  service: 'notes',
  method: 'get',
  path: '/api/sync/{jobId}',
  tag: 'Synchronisation',
  summary: 'Read a synchronisation in the background',
  description: "Agents see their own jobs, operators and owners all of the company's.",
  params: syncJobParams,
  responses: {
    200: {
      description: 'The job',
      schema: syncJob,
      headers: {
        'Retry-After': {
          description: 'Seconds until it is worth asking again, while the job runs',
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
    operators: 'operator',
    entities: { jobId: 'job' },
  },
});
