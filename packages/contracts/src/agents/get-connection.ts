import { routeContract } from '../route-contract.ts';
import { connection, connectionParams } from './connection.ts';

export const getConnectionContract = routeContract({
  operationId: 'getConnection',
  service: 'agents',
  method: 'get',
  path: '/api/connections/{connectionId}',
  tag: 'Connections',
  summary: 'Read a connection',
  params: connectionParams,
  responses: { 200: { description: 'The connection', schema: connection } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'viewer',
    entities: { connectionId: 'connection' },
  },
});
