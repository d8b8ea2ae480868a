import { routeContract } from '../route-contract.ts';
import { syncJobParams } from './sync-job.ts';

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
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:write',
    grants: 'kept',
    operators: 'operator',
    entities: { jobId: 'job' },
    state: 'any',
  },
});
