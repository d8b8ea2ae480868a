import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { whenAvailable } from '../src/when-available.ts';
import { bearer, type Api, type ApiResponse } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';

/** Section 4 of docs/contract.md, agents, keys and runs, with everything that can race raced. */
let system: TestSystem;
let board: Api;
let company: CompanyWorld;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 1, agents: 2, auth: 1 },
    isMeshed: true,
    env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' },
  });
  board = system.as(await system.boardHeaders());
  company = await makeCompany(board, 'Agents', { baseUrl: system.baseUrl, withInvite: false });
}, 120_000);
afterAll(async () => {
  await system.stop();
});

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = ({ body }: ApiResponse) => body as Fields;
const outcome = ({ status, body }: ApiResponse) =>
  status < 400 ? String(status) : `${status} ${(body as { code: string }).code}`;
/** How often each outcome came. */
const countOutcomes = (responses: readonly ApiResponse[]) => {
  const counts: Record<string, number> = {};
  for (const response of responses) {
    counts[outcome(response)] = (counts[outcome(response)] ?? 0) + 1;
  }
  return counts;
};
const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_unused, index) => make(index)));

const newAgent = async (fields: Fields = {}): Promise<string> => {
  const body = { name: 'Bo', role: 'tester', ...fields };
  const made = await board('POST', `/api/companies/${company.companyId}/agents`, { body });
  expect(outcome(made)).toBe('201');
  return String(fieldsOf(made)['id']);
};
const newKey = async (agentId: string, fields: Fields = {}) => {
  const body = { name: 'k', ...fields };
  const made = await whenAvailable(() => board('POST', `/api/agents/${agentId}/keys`, { body }));
  expect(outcome(made)).toBe('201');
  const { id, key } = fieldsOf(made) as { id: string; key: string };
  return { id, key, api: system.as(bearer(key)) };
};
const start = (api: Api, agentId: string, body: Fields = {}) =>
  api('POST', `/api/agents/${agentId}/runs`, { body });
const runOf = (response: ApiResponse) => {
  const { run, token } = response.body as { run: { id: string }; token: string };
  return { id: run.id, api: system.as(bearer(token)) };
};

describe('budgets', () => {
  it('twenty concurrent starts on two replicas never exceed the budget', async () => {
    const agentId = await newAgent({ budget: { monthlyCents: 1_000 } });
    const { api } = await newKey(agentId);
    const responses = await times(20, () => start(api, agentId, { reserveCents: 150 }));
    expect(countOutcomes(responses)).toEqual({ 201: 6, '409 budget_exhausted': 14 });
    const agent = fieldsOf(await board('GET', `/api/agents/${agentId}`));
    expect(agent['budget']).toMatchObject({
      reservedCents: 900,
      spentCents: 0,
      remainingCents: 100,
    });
  });

  it('concurrent finishes and cancels book each run once', async () => {
    const agentId = await newAgent({ budget: { monthlyCents: 10_000 } });
    const { api } = await newKey(agentId);
    const runs = (await times(5, () => start(api, agentId, { reserveCents: 100 }))).map(runOf);
    const finish = { body: { status: 'succeeded', costCents: 40 } };
    const responses = await Promise.all(
      runs.flatMap(({ id }) => [
        api('POST', `/api/runs/${id}/finish`, finish),
        api('POST', `/api/runs/${id}/finish`, finish),
        board('POST', `/api/runs/${id}/cancel`),
      ]),
    );
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const ended = await Promise.all(runs.map(({ id }) => board('GET', `/api/runs/${id}`)));
    const spent = ended.reduce((sum, each) => sum + Number(fieldsOf(each)['costCents']), 0);
    const { budget } = fieldsOf(await board('GET', `/api/agents/${agentId}`));
    expect(budget).toMatchObject({ reservedCents: 0, spentCents: spent });
  });
});

describe('keys', () => {
  it('fifteen concurrent creations make ten keys, the limit', async () => {
    const agentId = await newAgent();
    const path = `/api/agents/${agentId}/keys`;
    const responses = await times(15, (index) =>
      board('POST', path, { body: { name: `k${index}` } }),
    );
    expect(countOutcomes(responses)).toEqual({ 201: 10, '409 key_limit': 5 });
    const [first] = (fieldsOf(await board('GET', path)) as { items: Fields[] }).items;
    const rotate = `${path}/${String(first?.['id'])}/rotate`;
    expect(outcome(await board('POST', rotate, { body: { overlapSeconds: 60 } }))).toBe(
      '409 key_limit',
    );
    const rotated = await board('POST', rotate, { body: {} });
    expect(outcome(rotated)).toBe('201');
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    expect(outcome(await board('POST', rotate, { body: {} }))).toBe('409 key_not_live');
  });

  it('rotated with overlap both work, and five concurrent rotations make one new key', async () => {
    const agentId = await newAgent();
    const old = await newKey(agentId);
    const rotate = `/api/agents/${agentId}/keys/${old.id}/rotate`;
    const made = await board('POST', rotate, { body: { overlapSeconds: 600 } });
    const fresh = system.as(bearer(String(fieldsOf(made)['key'])));
    expect((await old.api('GET', '/api/agents/me')).status).toBe(200);
    expect((await fresh('GET', '/api/agents/me')).status).toBe(200);
    const again = `/api/agents/${agentId}/keys/${String(fieldsOf(made)['id'])}/rotate`;
    expect(countOutcomes(await times(5, () => board('POST', again, { body: {} })))).toEqual({
      201: 1,
      '409 key_not_live': 4,
    });
    expect(outcome(await fresh('GET', '/api/agents/me'))).toBe('401 invalid_token');
  });

  it('revoked twice keep the first revocation time, and the value is never shown again', async () => {
    const agentId = await newAgent();
    const { id, key } = await newKey(agentId);
    const path = `/api/agents/${agentId}/keys`;
    expect(key).toMatch(/^cpk_[0-9A-Za-z]{49,}$/);
    expect((await board('DELETE', `${path}/${id}`)).status).toBe(204);
    const first = JSON.stringify((await board('GET', path)).body);
    expect((await board('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(JSON.stringify((await board('GET', path)).body)).toBe(first);
    expect(first).not.toContain(key.slice(12));
  });

  it('cannot be created expired, or for another company', async () => {
    const agentId = await newAgent();
    const path = `/api/agents/${agentId}/keys`;
    for (const body of [
      { name: 'k', expiresAt: '2020-01-01T00:00:00.000Z' },
      { name: 'k', companyId: company.companyId },
      { name: 'k', agentId },
      { name: '' },
    ]) {
      expect(outcome(await board('POST', path, { body }))).toBe('400 validation_failed');
    }
  });

  it("of another agent of the same company are 404 under this agent's path", async () => {
    const [mine, other] = [await newAgent(), await newAgent()];
    const { id, api } = await newKey(other);
    for (const [method, rest] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const response = await board(method, `/api/agents/${mine}/keys/${id}${rest}`);
      expect(outcome(response)).toBe('404 not_found');
    }
    expect((await api('GET', '/api/agents/me')).status).toBe(200);
  });
});

describe('runs', () => {
  it("are started only by the agent's own key, never by a run or another agent", async () => {
    const [agentId, other] = [await newAgent(), await newAgent()];
    const { api } = await newKey(agentId);
    const run = runOf(await start(api, agentId));
    expect(outcome(await start(run.api, agentId))).toBe('403 key_required');
    expect(outcome(await start(api, other))).toBe('403 not_own_agent');
    const outsider = await newKey(other);
    for (const [path, body] of [
      ['renew', undefined],
      ['finish', { status: 'failed' }],
    ] as const) {
      const call = body ? { body } : {};
      const byOther = await outsider.api('POST', `/api/runs/${run.id}/${path}`, call);
      expect(outcome(byOther)).toBe('403 not_own_agent');
    }
  });

  it('finished twice the same way are 200, another way 409, and their token is rejected', async () => {
    const agentId = await newAgent();
    const { api } = await newKey(agentId);
    const run = runOf(await start(api, agentId, { reserveCents: 5 }));
    const finish = (body: Fields) => api('POST', `/api/runs/${run.id}/finish`, { body });
    const responses = await times(4, () => finish({ status: 'succeeded', costCents: 3 }));
    expect(countOutcomes(responses)).toEqual({ 200: 4 });
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(outcome(await finish({ status: 'failed' }))).toBe('409 run_finished');
    expect(outcome(await finish({ status: 'succeeded', costCents: 4 }))).toBe('409 run_finished');
    expect(outcome(await api('POST', `/api/runs/${run.id}/renew`))).toBe('409 run_finished');
    expect(outcome(await run.api('GET', '/api/agents/me'))).toBe('401 invalid_token');
  });

  it('renewed continue with the new token, and the old one stays valid until it expires', async () => {
    const agentId = await newAgent();
    const { api } = await newKey(agentId);
    const run = runOf(await start(api, agentId, { ttlSeconds: 60 }));
    const renewed = fieldsOf(await run.api('POST', `/api/runs/${run.id}/renew`));
    const next = system.as(bearer(String(renewed['token'])));
    const me = fieldsOf(await next('GET', '/api/agents/me'));
    expect(me['credential']).toMatchObject({
      kind: 'run',
      runId: run.id,
      expiresAt: renewed['expiresAt'],
    });
    expect((await run.api('GET', '/api/agents/me')).status).toBe(200);
  });

  it('have the requested lifetime, within bounds', async () => {
    const agentId = await newAgent();
    const { api } = await newKey(agentId);
    for (const body of [
      { ttlSeconds: 59 },
      { ttlSeconds: 3601 },
      { reserveCents: -1 },
      { reserveCents: 0.5 },
      { trigger: 'whim' },
      { runId: agentId },
      { agentId },
    ]) {
      expect(outcome(await start(api, agentId, body))).toBe('400 validation_failed');
    }
    const started = await start(api, agentId);
    expect(started.headers.get('cache-control')).toBe('no-store');
    expect(fieldsOf(started)['env']).toEqual({
      SERVICE_API_KEY: fieldsOf(started)['token'],
      SERVICE_BASE_URL: expect.stringMatching(/^http/),
      SERVICE_AGENT_ID: agentId,
      SERVICE_COMPANY_ID: company.companyId,
      SERVICE_RUN_ID: runOf(started).id,
      SERVICE_USAGE_URL: expect.stringMatching(new RegExp(`/api/runs/${runOf(started).id}/usage$`)),
    });
  });
});

describe('the chain of command', () => {
  it('two concurrent changes never make a cycle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await newAgent(), await newAgent()];
      const report = (agentId: string, reportsTo: string) =>
        board('PATCH', `/api/agents/${agentId}`, { body: { reportsTo } });
      const responses = await Promise.all([report(one, two), report(two, one)]);
      expect(countOutcomes(responses)).toEqual({ 200: 1, '422 manager_cycle': 1 });
    }
  });

  it('a foreign or unknown manager, or the agent itself, is 422', async () => {
    const foreign = await makeCompany(board, 'Managers', {
      baseUrl: system.baseUrl,
      withInvite: false,
    });
    const agentId = await newAgent();
    const report = (reportsTo: string) =>
      board('PATCH', `/api/agents/${agentId}`, { body: { reportsTo } });
    expect(outcome(await report(foreign.agentId))).toBe('422 manager_not_in_company');
    expect(outcome(await report(foreign.noteId))).toBe('422 manager_not_in_company');
    expect(outcome(await report(agentId))).toBe('422 manager_cycle');
  });
});

describe('states', () => {
  it('a paused agent reads by key; writes and new runs are 409; its run has ended', async () => {
    const agentId = await newAgent();
    const { api } = await newKey(agentId);
    const run = runOf(await start(api, agentId));
    expect(fieldsOf(await board('POST', `/api/agents/${agentId}/pause`))['status']).toBe('paused');
    expect(outcome(await run.api('GET', '/api/agents/me'))).toBe('401 invalid_token');
    expect((await api('GET', '/api/notes')).status).toBe(200);
    expect((await api('POST', '/api/sync', { body: {} })).status).toBe(200);
    const note = { body: { title: 'x' } };
    expect(outcome(await api('PUT', `/api/notes/${agentId}`, note))).toBe('409 agent_paused');
    expect(outcome(await start(api, agentId))).toBe('409 agent_paused');
    expect(outcome(await start(board, agentId))).toBe('409 agent_paused');
    expect((await board('POST', `/api/agents/${agentId}/resume`)).status).toBe(200);
    expect(outcome(await start(api, agentId))).toBe('201');
  });

  it('termination is final: credentials are 401, and no route reverts it', async () => {
    const agentId = await newAgent();
    const { api } = await newKey(agentId);
    await board('POST', `/api/agents/${agentId}/terminate`);
    expect(outcome(await api('GET', '/api/notes'))).toBe('401 invalid_token');
    for (const [method, path, body] of [
      ['POST', 'resume', undefined],
      ['POST', 'pause', undefined],
      ['POST', 'keys', { name: 'k' }],
      ['POST', 'runs', {}],
    ] as const) {
      const call = body ? { body } : {};
      const response = await board(method, `/api/agents/${agentId}/${path}`, call);
      expect([path, outcome(response)]).toEqual([path, '409 agent_terminated']);
    }
    expect((await board('GET', `/api/agents/${agentId}`)).status).toBe(200);
  });

  it('an archived company is read-only for operators, and its agents are 401', async () => {
    const { baseUrl } = system;
    const closed = await makeCompany(board, 'Closed', { baseUrl, withInvite: false });
    const member = system.as(
      await inviteMember(board, closed, { baseUrl, email: 'closed@example.org', role: 'operator' }),
    );
    const path = `/api/companies/${closed.companyId}`;
    const patch = (body: Fields) => board('PATCH', path, { body });
    expect((await patch({ status: 'archived' })).status).toBe(200);
    for (const credential of [closed.key, closed.runToken]) {
      const response = await system.as(bearer(credential))('GET', '/api/notes');
      expect(outcome(response)).toBe('401 invalid_token');
    }
    expect((await member('GET', `/api/notes/${closed.noteId}`)).status).toBe(200);
    for (const [method, at, body] of [
      ['PUT', `/api/notes/${closed.noteId}`, { title: 'x' }],
      ['POST', `${path}/agents`, { name: 'n', role: 'r' }],
      ['POST', `/api/agents/${closed.agentId}/keys`, { name: 'k' }],
      ['POST', `/api/agents/${closed.agentId}/runs`, {}],
      ['POST', `/api/agents/${closed.agentId}/pause`, undefined],
      ['DELETE', `/api/agents/${closed.agentId}/keys/${closed.keyId}`, undefined],
    ] as const) {
      const response = await member(method, at, body ? { body } : {});
      expect([at, outcome(response)]).toEqual([at, '409 company_archived']);
    }
    expect(outcome(await patch({ name: 'Other' }))).toBe('409 company_archived');
    expect((await patch({ status: 'active' })).status).toBe(200);
    expect((await system.as(bearer(closed.key))('GET', '/api/notes')).status).toBe(200);
    const byRun = await system.as(bearer(closed.runToken))('GET', '/api/notes');
    expect(outcome(byRun)).toBe('401 invalid_token');
  });
});

describe('the audit', () => {
  it('takes its actor from the credential and cannot be written', async () => {
    const path = `/api/companies/${company.companyId}/activity`;
    for (const field of ['actor', 'createdBy', 'operatorId', 'companyId', 'id', 'status']) {
      const body = { name: 'n', role: 'r', [field]: company.agentId };
      const made = await board('POST', `/api/companies/${company.companyId}/agents`, { body });
      expect([field, outcome(made)]).toEqual([field, '400 validation_failed']);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(outcome(await board(method, path))).toBe('405 method_not_allowed');
    }
    const byRun = fieldsOf(await board('GET', `${path}?action=run.started`)) as { items: Fields[] };
    expect(byRun.items.at(-1)?.['actor']).toMatchObject({ kind: 'agent', id: company.agentId });
  });
});
