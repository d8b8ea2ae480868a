import { z } from 'zod';
import { companyId, operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Notes → agents: an owner switches embeddings of a company, which the audit log has before it is done. The notes service has
 * checked that the operator is an owner.
 */
export const recordSearchSettingsContract = routeContract({
  operationId: 'recordSearchSettings',
  service: 'agents',
  method: 'post',
  path: '/internal/search-settings/record',
  tag: 'Internal',
  summary: 'Record in the audit log that embeddings are switched',
  body: z.strictObject({
    companyId,
    operatorId,
    operatorName: z.string(),
    embeddings: z.boolean(),
    service: z.string().nullable(),
  }),
  responses: { 200: { description: 'Recorded', schema: z.object({}) } },
  errors: [],
  access: { kind: 'service', callers: ['notes'] },
});
