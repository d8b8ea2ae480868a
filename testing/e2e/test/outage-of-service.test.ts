import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, type Api } from '../src/call-api.ts';
import { freeze, pidsOf } from '../src/processes.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let company: CompanyWorld;
let agent: Api;

beforeAll(async () => {
  system = await startTestSystem('authenticated');
  company = await makeCompany(system.as(await system.boardHeaders()), 'Divided', {
    baseUrl: system.baseUrl,
    withInvite: true,
  });
  agent = system.as(bearer(company.key));
}, 120_000);
afterAll(() => system.stop());

const notePath = () => `/api/notes/${randomUUID()}`;
const write = (api: Api) => api('PUT', notePath(), { body: { title: 'x' } });
const statusOf = async (response: ReturnType<Api>): Promise<number> => (await response).status;

it('a hung notes service causes 504 on its own routes and does not affect others', async () => {
  const [notes = 0] = pidsOf(system.system, 'notes');
  const goOn = freeze(notes);
  let hanging: ReturnType<Api>;
  try {
    hanging = write(agent);
    const ended = hanging.then(() => true);
    let others = 0;
    // All the while the gateway waits for the response that does not come.
    while (!(await Promise.race([ended, pause(500)]))) {
      expect(await statusOf(agent('GET', '/api/agents/me'))).toBe(200);
      others += 1;
    }
    expect(others).toBeGreaterThan(10);
    expect((await hanging).status).toBe(504);
    const session = system.as(await system.boardHeaders());
    expect(await statusOf(session('GET', '/api/auth/session'))).toBe(200);
  } finally {
    goOn();
  }
  expect(await statusOf(write(agent))).toBe(201);
}, 60_000);

it('a hung auth service causes 503 for operators and does not affect agents', async () => {
  const operator = system.as(await system.boardHeaders());
  const goOn = freeze(pidsOf(system.system, 'auth')[0] ?? 0);
  try {
    await pause(1_000);
    const response = await operator('GET', '/api/companies');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await statusOf(write(agent))).toBe(201);
    expect(await statusOf(agent('GET', '/api/agents/me'))).toBe(200);
  } finally {
    goOn();
  }
  expect(await statusOf(operator('GET', '/api/companies'))).toBe(200);
}, 60_000);

it('a hung agents service causes 503 for every caller until it resumes', async () => {
  const goOn = freeze(pidsOf(system.system, 'agents')[0] ?? 0);
  try {
    await pause(1_000);
    const response = await write(agent);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await statusOf(system.as({})('GET', '/api/agents/me'))).toBe(401);
  } finally {
    goOn();
  }
  expect(await statusOf(write(agent))).toBe(201);
}, 60_000);

it('a dead notes service causes 503 on its own routes until it restarts', async () => {
  const [pid = 0] = pidsOf(system.system, 'notes');
  process.kill(pid, 'SIGKILL');
  const response = await write(agent);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await statusOf(agent('GET', '/api/agents/me'))).toBe(200);
  let status = 503;
  while (status === 503) {
    await pause(20);
    status = await statusOf(write(agent));
  }
  expect(status).toBe(201);
}, 60_000);

const pause = (ms: number): Promise<false> =>
  new Promise((resolve) => setTimeout(resolve, ms, false));
