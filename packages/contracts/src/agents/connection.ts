import { z } from 'zod';
import { lineOfText, timestamp } from '../common.ts';
import { agentId, companyId, connectionId, operatorId } from '../ids.ts';
import { grantList } from '../grants.ts';
import { scopeList } from '../scopes.ts';

/** The limit of active connections per agent. Each consent adds one. */
export const activeConnectionsMax = 50;

export const connectionClient = z
  .object({
    id: z.string().min(1).max(2048).meta({ description: 'The `client_id` of OAuth' }),
    name: lineOfText(1, 200).meta({
      description: 'The name it gives itself, which nobody checked',
    }),
    host: lineOfText(1, 255).meta({ description: 'The host its consent was sent to' }),
  })
  .meta({ id: 'ConnectionClient', description: 'The client (host) of a connection' });
export type ConnectionClient = z.infer<typeof connectionClient>;

export const connection = z
  .object({
    id: connectionId,
    companyId,
    agentId,
    client: connectionClient,
    scopes: scopeList.meta({ description: 'What was consented to' }),
    grants: grantList,
    createdBy: z.object({ kind: z.literal('operator'), id: operatorId }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'With a precision of one minute' }),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({
    id: 'Connection',
    description:
      'A credential of one agent for one client of OAuth, by the consent of an operator. While that operator is a ' +
      'viewer it may read notes at most.',
  });
export type Connection = z.infer<typeof connection>;

/** The path of one connection. */
export const connectionParams = z.object({ connectionId });
