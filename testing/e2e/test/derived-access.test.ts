import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, type Api, type ApiResponse } from '../src/call-api.ts';
import {
  approveByScript,
  codeByScript,
  connectByScript,
  exchangeByScript,
  openConsentByScript,
  refreshByScript,
  registerByScript,
  sendTo,
  type Received,
  type Send,
} from '../src/connect-by-script.ts';
import { operatorIdOf } from '../src/make-connection.ts';
import { freeze, pidsOf } from '../src/processes.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeAgentKey, makeCompanyKey, type CompanyKey } from '../src/world.ts';

/** What the holder of a token, code or approval can do with it after its source has ended. */
type Left = 'writes' | 'reads' | 'sees nothing' | 'nothing';

type Outcome = {
  /** By a refresh token of a connection. */
  readonly refreshed: Left;
  /** By a code that its host has not exchanged yet. */
  readonly exchanged: Left;
  /** By an approval with which the browser has not gone back to the host yet. */
  readonly resumed: Left;
  /** The status of an approval on a consent page that is open. */
  readonly approved: number;
};

type World = CompanyKey & { readonly operatorId: string; readonly connectionId: string };

let system: TestSystem;
let send: Send;
let board: Api;
let boardHeaders: Readonly<Record<string, string>>;
let clientId: string;

beforeAll(async () => {
  system = await startTestSystem('authenticated', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  send = sendTo(system.baseUrl);
  boardHeaders = await system.boardHeaders();
  board = system.as(boardHeaders);
  clientId = await registerByScript(send);
}, 120_000);
afterAll(() => system.stop());

const none: Omit<Outcome, 'approved'> = {
  refreshed: 'nothing',
  exchanged: 'nothing',
  resumed: 'nothing',
};
const all = (left: Left) => ({ refreshed: left, exchanged: left, resumed: left });

const patchMember =
  (body: object) =>
  ({ companyId, operatorId }: World) =>
    board('PATCH', `/api/companies/${companyId}/members/${operatorId}`, { body });
const patchOperator = (disabled: boolean, { operatorId }: World) =>
  board('PATCH', `/api/auth/operators/${operatorId}`, { body: { disabled } });
const archive = ({ companyId }: World) =>
  board('PATCH', `/api/companies/${companyId}`, { body: { status: 'archived' } });

const sources: readonly [string, (world: World) => unknown, Outcome][] = [
  ['nothing ends', () => undefined, { ...all('writes'), approved: 200 }],
  [
    'the operator becomes a viewer',
    patchMember({ role: 'viewer' }),
    { ...all('reads'), approved: 403 },
  ],
  [
    'the operator becomes a viewer of other folders',
    patchMember({ role: 'viewer', grants: [{ folder: 'other', scope: 'read' }] }),
    { ...all('sees nothing'), approved: 403 },
  ],
  [
    'the agent reaches other folders only',
    ({ agentId }) =>
      board('PATCH', `/api/agents/${agentId}`, {
        body: { grants: [{ folder: 'other', scope: 'read' }] },
      }),
    { ...all('sees nothing'), approved: 200 },
  ],
  [
    'the agent is paused',
    ({ agentId }) => board('POST', `/api/agents/${agentId}/pause`),
    { ...all('reads'), approved: 200 },
  ],
  [
    'the agent is terminated',
    ({ agentId }) => board('POST', `/api/agents/${agentId}/terminate`),
    { ...none, approved: 409 },
  ],
  [
    'the operator is removed',
    ({ companyId, operatorId }) =>
      board('DELETE', `/api/companies/${companyId}/members/${operatorId}`),
    { ...none, approved: 403 },
  ],
  ['the operator is disabled', (world) => patchOperator(true, world), { ...none, approved: 401 }],
  [
    'the operator is disabled and enabled again',
    async (world) => {
      await patchOperator(true, world);
      await patchOperator(false, world);
    },
    { ...none, approved: 401 },
  ],
  [
    'the access to the account is taken away',
    ({ operatorId }) => board('POST', `/api/auth/operators/${operatorId}/handover`),
    { ...none, approved: 401 },
  ],
  ['the company is archived', archive, { ...none, approved: 409 }],
  [
    'the connection is revoked',
    ({ connectionId }) => board('DELETE', `/api/connections/${connectionId}`),
    { ...all('writes'), refreshed: 'nothing', approved: 200 },
  ],
];

it.each(sources)(
  'a second after %s, refresh tokens, codes, approvals and open consent pages give no more than what is left',
  async (_what, end, expected) => {
    const { baseUrl } = system;
    const company = await makeCompanyKey(board, 'Derived');
    const { companyId, agentId } = company;
    const byKey = system.as(bearer((await makeAgentKey(board, companyId, 'Bea')).key));
    await byKey('PUT', `/api/notes/${randomUUID()}`, { body: { title: 'Seen', folder: 'sales' } });
    const email = `${randomUUID()}@example.org`;
    const session = await inviteMember(board, company, { baseUrl, email, role: 'operator' });
    const headers = { ...session, 'x-company-id': companyId };
    const consenting = { headers, companyId, agentId, origin: baseUrl, clientId };
    const open = () => openConsentByScript(send, clientId, consenting);
    const approved = async () => {
      const consent = await open();
      const response = await approveByScript(send, consent, consenting);
      return { consent, location: String(JSON.parse(response.text).location) };
    };
    const connection = await connectByScript(send, consenting);
    const [coded, resumed, page] = [await approved(), await approved(), await open()];
    const code = await codeByScript(send, coded.consent, coded.location);
    const operatorId = await operatorIdOf(system, session);

    await end({ ...company, operatorId, connectionId: connection.connectionId });
    await sleep(1_000);

    const { refresh_token: refreshToken } = connection.tokens;
    const late = await codeByScript(send, resumed.consent, resumed.location);
    expect({
      refreshed: await leftOf(await refreshByScript(send, connection, refreshToken)),
      exchanged: await leftOf(await exchangeByScript(send, coded.consent, code)),
      resumed: await leftOf(await exchangeByScript(send, resumed.consent, late)),
      approved: (await approveByScript(send, page, consenting)).status,
    }).toEqual(expected);
  },
);

type Member = { readonly companyId: string; readonly operatorId: string; readonly email: string };

/** What takes the access of an operator. */
const takings: readonly [string, (member: Member, session: Api) => Promise<unknown>][] = [
  [
    'the account is in a handover',
    ({ operatorId }) => board('POST', `/api/auth/operators/${operatorId}/handover`),
  ],
  [
    'the account is disabled and enabled again',
    async ({ operatorId }) => {
      for (const disabled of [true, false]) {
        await board('PATCH', `/api/auth/operators/${operatorId}`, { body: { disabled } });
      }
    },
  ],
  [
    'the member is removed and joins again',
    async ({ companyId, operatorId, email }, session) => {
      const company = `/api/companies/${companyId}`;
      await board('DELETE', `${company}/members/${operatorId}`);
      const body = { email, role: 'operator' };
      const { token } = fieldsOf(await board('POST', `${company}/invites`, { body }));
      fieldsOf(await session('POST', '/api/auth/invites/accept', { body: { token } }));
    },
  ],
];

it.each(takings)('what an operator ordered in the background ends when %s', async (_what, take) => {
  const { baseUrl } = system;
  const company = await makeCompanyKey(board, 'Ordered');
  const ofCompany = { headers: { 'x-company-id': company.companyId } };
  const email = `${randomUUID()}@example.org`;
  const session = await inviteMember(board, company, { baseUrl, email, role: 'operator' });
  const member = system.as({ ...session, ...ofCompany.headers });
  const synchronise = () => {
    const changes = Array.from({ length: 10_000 }, () => ({
      op: 'put',
      mutationId: randomUUID(),
      id: randomUUID(),
      note: { title: 'Planted' },
    }));
    return { clientId: 'laptop', mode: 'background', pull: 'none', changes };
  };
  // Two run at once, for seconds; what comes after them waits.
  const paths: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const order = fieldsOf(await member('POST', '/api/sync', { body: synchronise() }));
    paths.push(`/api/sync/${String(order['jobId'])}`);
  }

  const { companyId } = company;
  const operatorId = await operatorIdOf(system, session);
  // No part begins in between: access ends, and is given again, before the next one.
  const resumes = pidsOf(system.system, 'notes').map(freeze);
  try {
    await take({ companyId, operatorId, email }, system.as(session));
  } finally {
    resumes.forEach((resume) => resume());
  }

  for (const path of paths.slice(2)) {
    const end = await endOf(() => board('GET', path, ofCompany));
    expect([path, end['status'], end['error']]).toMatchObject([
      path,
      'failed',
      { code: 'role_insufficient' },
    ]);
  }
});

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = ({ status, body }: ApiResponse): Fields => {
  expect([status < 300, body]).toEqual([true, body]);
  return body as Fields;
};

/** The state of a job or an undo, as soon as it has ended. */
const endOf = async (read: () => Promise<ApiResponse>): Promise<Fields> => {
  for (;;) {
    const state = fieldsOf(await read());
    if (state['finishedAt'] !== null) {
      return state;
    }
    await sleep(100);
  }
};

/** What the tokens of an exchange can do; a refused exchange, and tokens that are refused, nothing. */
const leftOf = async ({ status, text }: Received): Promise<Left> => {
  if (status !== 200) {
    expect([status, JSON.parse(text).error]).toEqual([400, 'invalid_grant']);
    return 'nothing';
  }
  const call = toolCaller(String(JSON.parse(text).access_token));
  const listed = await call('list_notes', {});
  if (listed === null) {
    return 'nothing';
  }
  if (!listed.text.includes('Seen')) {
    return 'sees nothing';
  }
  const written = await call('write_note', { title: randomUUID(), folder: 'sales', content: '' });
  return written?.isError === false ? 'writes' : 'reads';
};

type Called = { readonly text: string; readonly isError: boolean };

/** Calls tools with a token of a connection; null: the token is refused. */
const toolCaller =
  (token: string) =>
  async (name: string, args: object): Promise<Called | null> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const response = await send('/connect/mcp', {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status === 401) {
      return null;
    }
    const { result } = JSON.parse(response.text);
    return { text: JSON.stringify(result.content), isError: result.isError === true };
  };
