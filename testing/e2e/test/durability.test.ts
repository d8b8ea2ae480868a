import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

let system: TestSystem;
let agent: Api;

beforeAll(async () => {
  system = await startTestSystem('local_trusted');
  const company = await makeCompany(system.as({}), 'Durable', {
    baseUrl: system.baseUrl,
    withInvite: false,
  });
  agent = createApi({ baseUrl: system.baseUrl, headers: bearer(company.key) });
}, 120_000);
afterAll(async () => {
  await system.stop();
});

const pidOf = (name: string): number => {
  const pid = system.system.processes.find((process) => process.name === name)?.pid;
  if (!pid) {
    throw new Error(`${name} is not running`);
  }
  return pid;
};

it.each(['notes', 'agents', 'gateway'])(
  'a killed %s restarts by itself, and no acknowledged write is lost',
  async (victim) => {
    const acknowledged: string[] = [];
    const writing = new AbortController();
    const write = async () => {
      while (!writing.signal.aborted) {
        const id = randomUUID();
        const response = await agent('PUT', `/api/notes/${id}`, { body: { title: id } }).catch(
          () => null,
        );
        if (response?.status === 201) {
          acknowledged.push(id);
        }
      }
    };
    const writers = Array.from({ length: 8 }, write);
    const before = await waitFor(() => (acknowledged.length > 50 ? acknowledged.length : null));
    process.kill(pidOf(victim), 'SIGKILL');
    await waitFor(() => (acknowledged.length > before + 50 ? true : null));
    writing.abort();
    await Promise.all(writers);

    const missing: string[] = [];
    for (const id of acknowledged) {
      const status = await waitFor(() => statusOnceBack(id));
      if (status !== 200) {
        missing.push(`${id}: ${status}`);
      }
    }
    expect(missing).toEqual([]);
  },
  90_000,
);

/** 503 only says that the victim is not back yet. */
const statusOnceBack = async (id: string): Promise<number | null> => {
  const response = await agent('GET', `/api/notes/${id}`).catch(() => null);
  return response === null || response.status === 503 ? null : response.status;
};

const waitFor = async <Value>(look: () => Value | null | Promise<Value | null>): Promise<Value> => {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== null) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('It did not come back within a minute');
};
