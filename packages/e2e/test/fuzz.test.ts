import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fuzzRequest } from '../src/fuzz/fuzz-request.ts';
import { bearer, type ApiAnswer } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';

/** Two minutes by default; `FUZZ_SECONDS` and `FUZZ_SEED` for longer runs and for repeating one. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 120);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const concurrency = 8;

let system: TestSystem;
let mine: CompanyWorld;
let foreign: CompanyWorld;
const callers = new Map<string, Readonly<Record<string, string>>>();

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' },
  });
  const { baseUrl } = system;
  const boardHeaders = await system.boardHeaders();
  const board = system.as(boardHeaders);
  mine = await makeCompany(board, 'Fuzzed', { baseUrl, withInvite: true });
  foreign = await makeCompany(board, 'Zebra-Secret-Foreign', { baseUrl, withInvite: true });
  callers.set('nobody', { origin: baseUrl });
  callers.set('key', bearer(mine.key));
  callers.set('run', bearer(mine.runToken));
  callers.set(
    'owner',
    await inviteMember(board, mine, { baseUrl, email: 'owner@example.org', role: 'owner' }),
  );
  callers.set(
    'viewer',
    await inviteMember(board, mine, { baseUrl, email: 'viewer@example.org', role: 'viewer' }),
  );
}, 120_000);
afterAll(async () => {
  await system.stop();
});

/** What no caller of the first company may ever be told. */
const namesForeign = (answer: ApiAnswer): boolean => {
  const text = JSON.stringify(answer.body);
  return (
    text.includes('Zebra-Secret-Foreign') ||
    (text.includes(foreign.companyId) && !answer.path.includes(foreign.companyId))
  );
};

it(
  'no generated request gets a 500, an undocumented answer, or a word about another company',
  async () => {
    const requests = fuzzRequest([mine, foreign], [...callers.keys()]);
    const deadline = Date.now() + seconds * 1_000;
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    let sent = 0;
    for (let round = 0; Date.now() < deadline && failures.length === 0; round += 1) {
      const batch = fc.sample(requests, { numRuns: 200, seed: seed + round });
      const worker = async (first: number) => {
        for (
          let index = first;
          index < batch.length && Date.now() < deadline;
          index += concurrency
        ) {
          const request = batch[index];
          if (!request) {
            return;
          }
          const failure = await send(request, statuses);
          sent += 1;
          if (failure) {
            failures.push(failure);
          }
        }
      };
      await Promise.all(Array.from({ length: concurrency }, (_unused, first) => worker(first)));
    }
    console.info(
      `fuzz: seed ${seed}, ${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
    expect({ seed, failures: failures.slice(0, 5) }).toEqual({ seed, failures: [] });
    expect(sent).toBeGreaterThan(100);
  },
  (seconds + 60) * 1_000,
);

type Request = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly caller: string;
};

const send = async (request: Request, statuses: Map<number, number>): Promise<string | null> => {
  const { method, path, body, caller } = request;
  const shown = `${caller}: ${method} ${path} ${JSON.stringify(body)?.slice(0, 500)}`;
  try {
    const answer = await system.as(callers.get(caller) ?? {})(
      method,
      path,
      body === undefined ? {} : { body },
    );
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 500) {
      return `500 for ${shown}: ${JSON.stringify(answer.body)}`;
    }
    return namesForeign(answer) ? `names another company: ${shown}` : null;
  } catch (error) {
    return `${shown}: ${error instanceof Error ? error.message : String(error)}`;
  }
};
