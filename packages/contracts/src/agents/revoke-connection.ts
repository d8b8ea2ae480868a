import { routeContract } from '../route-contract.ts';
import { connectionParams } from './connection.ts';

export const revokeConnectionContract = routeContract({
  operationId: 'revokeConnection',
  service: 'agents',
  method: 'delete',
  path: '/api/connections/{connectionId}',
  tag: 'Connections',
  summary: 'Revoke a connection',
  description:
    'Its tokens are rejected everywhere within a second. Revoking it again keeps the first time. Viewers may revoke ' +
    'those that they consented to.',
  params: connectionParams,
  responses: { 204: { description: 'The connection is revoked' } },
  errors: ['not_found', 'role_insufficient', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'viewer',
    entities: { connectionId: 'connection' },
  },
});
