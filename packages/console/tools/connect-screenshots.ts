import type { Page } from 'playwright-core';
import { authorizationPath } from '@commonplace/e2e/connect-by-script';
import { createApi } from '@commonplace/e2e';
import { must } from './must.ts';
import type { Screenshot } from './screenshot.ts';

/** Hosts of the pictures, with the addresses that they send a browser back to. */
const hosts = {
  claude: { client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] },
  claudeCode: {
    client_name: 'Claude Code (commonplace)',
    redirect_uris: ['http://localhost:61303/callback'],
  },
} as const;

const register = async (baseUrl: string, host: (typeof hosts)[keyof typeof hosts]) => {
  const { client_id: clientId } = await must(
    createApi({ baseUrl }),
    'POST /connect/register',
    host,
  );
  const [redirectUri] = host.redirect_uris;
  return authorizationPath(String(clientId), `${baseUrl}/connect/mcp`, redirectUri).path;
};

const daysFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString();

type Where = { readonly companyId: string; readonly agentId: string };

const connection = ({ companyId, agentId }: Where, fields: object): object => ({
  companyId,
  agentId,
  createdBy: { kind: 'operator', id: companyId },
  scopes: ['notes:read', 'notes:write'],
  expiresAt: daysFromNow(60),
  lastUsedAt: null,
  revokedAt: null,
  ...fields,
});

/** Connections of a while: they are used, expire, or were revoked. */
const addConnections = (where: Where) => async (page: Page) => {
  const items = [
    connection(where, {
      id: '1',
      client: { id: '1', name: 'Claude', host: 'claude.ai' },
      createdAt: daysFromNow(-30),
      lastUsedAt: daysFromNow(-0.01),
    }),
    connection(where, {
      id: '2',
      client: { id: '2', name: 'ChatGPT', host: 'chatgpt.com' },
      createdAt: daysFromNow(-26),
      lastUsedAt: daysFromNow(-2),
      scopes: ['notes:read'],
      expiresAt: null,
    }),
    connection(where, {
      id: '3',
      client: { id: '3', name: 'Claude Code (commonplace)', host: 'localhost:61303' },
      createdAt: daysFromNow(-40),
      lastUsedAt: daysFromNow(-8),
      revokedAt: daysFromNow(-7),
    }),
  ];
  await page.route(/\/api\/companies\/[^/]+\/connections/, (route) =>
    route.fulfill({ json: { items, nextCursor: null } }),
  );
};

const waitForConsent = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Connect', exact: true }).waitFor();

/** The way of a host from its address to its connection. */
export const connectScreenshots = async (
  baseUrl: string,
  { company, companyId, agent }: { company: string; companyId: string; agent: string },
): Promise<readonly Screenshot[]> => {
  const before = addConnections({ companyId, agentId: agent.split('/').at(-1) ?? '' });
  const page = { onPhone: true, height: 1000 };
  const prepare = waitForConsent;
  return [
    { name: 'connect', path: `${company}/begin`, ...page },
    { name: 'consent', path: await register(baseUrl, hosts.claude), ...page, prepare },
    { name: 'consent-local', path: await register(baseUrl, hosts.claudeCode), ...page, prepare },
    { name: 'connections', path: `${agent}?tab=connections`, ...page, before },
  ];
};
