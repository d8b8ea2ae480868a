import { publicRoutes } from '@commonplace/contracts';
import { protocolRoutes } from '@commonplace/contracts/auth';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testIdentitySecrets } from '@commonplace/testkit';
import fc from 'fast-check';
import { redirectUri, registerByScript, sendTo } from '../src/connect-by-script.ts';
import { fuzzProtocol, type ProtocolRequest } from '../src/fuzz/fuzz-protocol.ts';
import { fuzzRequest, type FuzzRequest } from '../src/fuzz/fuzz-request.ts';
import {
  fuzzToolCall,
  unknownArgument,
  type FuzzCall,
  type ListedTool,
} from '../src/fuzz/fuzz-tool-call.ts';
import { bearer, type Api, type ApiResponse } from '../src/call-api.ts';
import { makeConnection, operatorIdOf } from '../src/make-connection.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';

/** Half a minute by default: every run has another seed. `FUZZ_SECONDS` and `FUZZ_SEED` for longer runs and for repeating one. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 30);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const concurrency = 8;
const requestsPerRound = 200;
/** Every second round is for the routes of notes alone, which are many and share one note. */
const noteRoutes = publicRoutes.filter(({ service }) => service === 'notes');

let system: TestSystem;
let board: Api;
let operatorId: string;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    env: {
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'error',
      INTERNAL_IDENTITY_SECRETS: testIdentitySecrets[0],
    },
  });
  const boardHeaders = await system.boardHeaders();
  board = system.as(boardHeaders);
  operatorId = await operatorIdOf(system, boardHeaders);
}, 120_000);
afterAll(async () => {
  await system.stop();
});

type Scene = {
  readonly mine: CompanyWorld & { readonly token: string };
  readonly foreign: CompanyWorld;
  readonly callers: ReadonlyMap<string, Readonly<Record<string, string>>>;
};

/** A fresh pair of companies with callers of the first: the requests of a round sign out, revoke and archive. */
const setScene = async (round: number): Promise<Scene> => {
  const { baseUrl } = system;
  const withConnection = async (company: CompanyWorld) => {
    const { connectionId, token } = await makeConnection(system, company, { operatorId });
    return { ...company, connectionId, token };
  };
  const make = async (name: string) =>
    withConnection(await makeCompany(board, name, { baseUrl, withInvite: true }));
  const [mine, foreign] = [await make(`Fuzzed ${round}`), await make('Zebra-Secret-Foreign')];
  const member = (role: 'owner' | 'viewer') =>
    inviteMember(board, mine, { baseUrl, email: `${role}${round}@example.org`, role });
  return {
    mine,
    foreign,
    callers: new Map([
      ['nobody', { origin: baseUrl }],
      ['key', bearer(mine.key)],
      ['run', bearer(mine.runToken)],
      ['connection', bearer(mine.token)],
      ['owner', await member('owner')],
      ['viewer', await member('viewer')],
    ]),
  };
};

/** What no caller of the first company may ever receive. */
const namesForeign = (response: ApiResponse, foreign: CompanyWorld): boolean => {
  const text = JSON.stringify(response.body);
  return (
    text.includes('Zebra-Secret-Foreign') ||
    (text.includes(foreign.companyId) && !response.path.includes(foreign.companyId))
  );
};

it(
  'no generated request gets a 500, an undocumented response, or a word about another company',
  async () => {
    const deadline = Date.now() + seconds * 1_000;
    const failures: string[] = [];
    const seen: Seen = { statuses: new Map(), operations: new Set() };
    for (let round = 0; Date.now() < deadline && failures.length === 0; round += 1) {
      const scene = await setScene(round);
      const requests = fuzzRequest(
        [scene.mine, scene.mine, scene.foreign],
        [...scene.callers.keys()],
        round % 2 === 1 ? noteRoutes : publicRoutes,
      );
      const batch = fc.sample(requests, { numRuns: requestsPerRound, seed: seed + round });
      const worker = async (first: number) => {
        for (let index = first; index < batch.length; index += concurrency) {
          const failure = await send(scene, batch[index] as FuzzRequest, seen);
          failures.push(...(failure ? [failure] : []));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, (_unused, first) => worker(first)));
    }
    const { statuses, operations } = seen;
    const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    console.info(
      `fuzz: seed ${seed}, ${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
    expect({ seed, failures: failures.slice(0, 5) }).toEqual({ seed, failures: [] });
    expect(sent).toBeGreaterThan(100);
    // A short run leaves some out by chance.
    const isLong = sent > 50 * publicRoutes.length;
    const missed = publicRoutes.filter(({ operationId }) => isLong && !operations.has(operationId));
    expect(missed.map(({ operationId }) => operationId)).toEqual([]);
  },
  (seconds + 60) * 1_000,
);

/** What was requested, and what it got. */
type Seen = { readonly statuses: Map<number, number>; readonly operations: Set<string> };

const send = async (
  { callers, foreign }: Scene,
  { operationId, method, path, body, isForm, headers, caller }: FuzzRequest,
  { statuses, operations }: Seen,
): Promise<string | null> => {
  const shown = `${caller}: ${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)?.slice(0, 500)}`;
  try {
    const response = await system.as(callers.get(caller) ?? {})(
      method,
      path,
      body === undefined ? { headers } : isForm ? formOf(body, headers) : { body, headers },
    );
    operations.add(operationId);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status === 500) {
      return `500 for ${shown}: ${JSON.stringify(response.body)}`;
    }
    return namesForeign(response, foreign) ? `names another company: ${shown}` : null;
  } catch (error) {
    return `${shown}: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** Sends the fields of an object as a form; what is no object is an empty form. */
const formOf = (body: unknown, headers: Readonly<Record<string, string>>) => ({
  raw: new URLSearchParams(
    Object.entries(Object(body) as object).map(([name, value]): [string, string] => [
      name,
      JSON.stringify(value ?? null).toWellFormed(),
    ]),
  ).toString(),
  headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
});

/** A share of the time of the requests: the tools call the same routes. */
const toolSeconds = seconds / 4;
const callsPerRound = 60;

/** The limit of a result, with the frame of the message; `maxBytes` may allow more. */
const resultBytesMax = 300_000;

/** By a key, or by the access token of a connection, which has an address of its own. */
const rpc = async (credential: string, method: string, params: object) => {
  const path = credential.startsWith('cpc_') ? '/connect/mcp' : '/mcp';
  const { status, body } = await system.as(bearer(credential))('POST', path, {
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { accept: 'application/json' },
  });
  return { status, body: body as { readonly result?: Readonly<Record<string, unknown>> } };
};

const callTool = async (
  { mine, foreign }: Scene,
  { tool, args, hasUnknown, hasLong }: FuzzCall,
): Promise<string | null> => {
  const credential = hasUnknown ? mine.token : mine.key;
  const { status, body } = await rpc(credential, 'tools/call', { name: tool, arguments: args });
  const text = JSON.stringify(body);
  const shown = `${tool} ${JSON.stringify(args).slice(0, 500)}: ${status} ${text.slice(0, 500)}`;
  const { isError } = body.result ?? {};
  const isNamed = !hasUnknown || text.includes(unknownArgument);
  const faults = [
    status === 200 && body.result !== undefined ? null : 'no result',
    /unexpected_failure|-32603/.test(text) ? 'an internal error' : null,
    isError === true && !text.includes('Next: ') ? 'an error without a next step' : null,
    (hasUnknown || hasLong) && isError !== true ? 'something was ignored' : null,
    isNamed ? null : 'the argument is not named',
    text.length > resultBytesMax ? 'a result without a limit' : null,
    text.includes('Zebra-Secret-Foreign') ? `names ${foreign.companyId}` : null,
  ].filter((fault) => fault !== null);
  return faults.length === 0 ? null : `${faults.join(', ')}: ${shown}`;
};

it(
  'every generated call of a tool is done or refused, and an argument more is always named',
  async () => {
    const scene = await setScene(-1);
    const { result } = (await rpc(scene.mine.key, 'tools/list', {})).body;
    const tools = result?.['tools'] as readonly ListedTool[];
    const calls = fuzzToolCall(tools, [scene.mine, scene.mine, scene.foreign]);
    const deadline = Date.now() + toolSeconds * 1_000;
    const failures: string[] = [];
    const called = new Set<string>();
    for (let round = 0; Date.now() < deadline && failures.length === 0; round += 1) {
      const batch = fc.sample(calls, { numRuns: callsPerRound, seed: seed + round });
      batch.forEach(({ tool }) => called.add(tool));
      const results = await Promise.all(batch.map((call) => callTool(scene, call)));
      failures.push(...results.filter((failure) => failure !== null));
    }
    expect({ seed, failures: failures.slice(0, 5) }).toEqual({ seed, failures: [] });
    expect(called.size).toBe(tools.length);
  },
  (toolSeconds + 60) * 1_000,
);

const protocolRequests = 400;

/** What is wrong with the response to a request to a route of OAuth; null means nothing. */
const sendProtocol = async (
  { method, path, headers, body }: ProtocolRequest,
  redirectUri: string,
): Promise<string | null> => {
  const response = await fetch(system.baseUrl + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const location = response.headers.get('location') ?? redirectUri;
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  const faults = [
    response.status >= 500 && response.status !== 503 ? `status ${response.status}` : null,
    location.startsWith(redirectUri) || /^\/connect\/consent\/[\w-]{43}$/.test(location)
      ? null
      : `a redirect to ${location}`,
    isPage && text.includes('<script') ? 'a page with a script' : null,
    /\bat .+:\d+:\d+\)?\n|node_modules|select .+ from/i.test(text) ? 'internals' : null,
    path.startsWith('/connect/authorize') || response.headers.getSetCookie().length === 0
      ? null
      : 'a cookie',
  ].filter((fault) => fault !== null);
  return faults.length === 0
    ? null
    : `${faults.join(', ')}: ${method} ${path} ${JSON.stringify(body)?.slice(0, 1_000)}: ${text.slice(0, 500)}`;
};

it('no generated request to a route of OAuth gets a 500, a redirect elsewhere, or a page with a script', async () => {
  const requests = fuzzProtocol({
    client_id: await registerByScript(sendTo(system.baseUrl)),
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'notes:read',
    resource: `${system.baseUrl}/connect/mcp`,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    grant_type: 'authorization_code',
    response_mode: 'query',
    prompt: 'consent',
    token_type_hint: 'access_token',
  });
  const batch = fc.sample(requests, { numRuns: protocolRequests, seed });
  const failures: string[] = [];
  const worker = async (first: number) => {
    for (let index = first; index < batch.length; index += concurrency) {
      const failure = await sendProtocol(batch[index] as ProtocolRequest, redirectUri);
      failures.push(...(failure === null ? [] : [failure]));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_unused, first) => worker(first)));
  expect({ seed, failures: failures.slice(0, 5) }).toEqual({ seed, failures: [] });
  expect(new Set(batch.map(({ operationId }) => operationId)).size).toBe(protocolRoutes.length);
}, 120_000);
