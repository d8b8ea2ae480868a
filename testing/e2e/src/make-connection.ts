import { makeConnectionToken } from '@commonplace/identity';
import { identityHeaders } from '@commonplace/testkit';
import { createApi } from './call-api.ts';
import type { TestSystem } from './test-system.ts';
import type { CompanyWorld } from './world.ts';

export type MadeConnection = { readonly connectionId: string; readonly token: string };

/**
 * Creates a connection with an access token, as the auth service does after a consent. The system must have the
 * identity secret of the test kit.
 */
export const makeConnection = async (
  { system }: Pick<TestSystem, 'system'>,
  { companyId, agentId }: Pick<CompanyWorld, 'companyId' | 'agentId'>,
  consent: { readonly operatorId: string; readonly scopes?: readonly string[] },
): Promise<MadeConnection> => {
  const agents = system.processes.find(({ name }) => name === 'agents');
  const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const api = createApi({
      baseUrl: `http://127.0.0.1:${agents?.port}`,
      headers: identityHeaders({ kind: 'service', service: 'auth' }) as Record<string, string>,
    });
    const response = await api('POST', `/internal/connections/${path}`, { body });
    if (response.status >= 300) {
      throw new Error(`${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
    }
    return response.body as Record<string, unknown>;
  };
  const created = await call('create', {
    companyId,
    agent: { agentId },
    scopes: ['notes:read', 'notes:write'],
    expiresAt: null,
    client: { id: 'test-client', name: 'Test client', host: 'client.example' },
    ...consent,
  });
  const connectionId = String(created['connectionId']);
  const token = makeConnectionToken();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await call('issue-token', { connectionId, token, expiresAt });
  return { connectionId, token };
};

/** The id of the operator who sends these headers. */
export const operatorIdOf = async (
  { as }: Pick<TestSystem, 'as'>,
  headers: Readonly<Record<string, string>>,
): Promise<string> => {
  const session = await as(headers)('GET', '/api/auth/session');
  return (session.body as { operator: { id: string } }).operator.id;
};
