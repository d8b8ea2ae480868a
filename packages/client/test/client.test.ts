import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient, type ClientOptions } from '../src/index.ts';
import {
  problem,
  startScriptedServer,
  type ScriptedResponse,
  type ScriptedServer,
} from './scripted-server.ts';

const runId = '01890a5d-ac96-774b-bcce-b302099a8057';
const noteId = '01890a5d-ac96-774b-bcce-b302099a8058';
const run = {
  id: runId,
  agentId: runId,
  companyId: runId,
  status: 'running',
  trigger: 'manual',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
  tokenExpiresAt: '2026-01-01T00:15:00.000Z',
  reservedCents: 0,
  costCents: null,
  reportedCents: 0,
  inputTokens: 0,
  outputTokens: 0,
  reason: null,
  scopes: ['notes:read', 'notes:write', 'agents:read', 'runs:write'],
  grants: null,
};
const syncResult = {
  results: [],
  changes: [],
  cursor: 'here',
  hasMore: false,
  integrity: { count: 0, digest: '0'.repeat(64) },
  counts: {
    applied: 0,
    merged: 0,
    restored: 0,
    conflicts: 0,
    unchanged: 0,
    rejected: 0,
    returned: 0,
  },
  serverTime: '2026-01-01T00:00:00.000Z',
};
const page = { items: [run], nextCursor: null };
const running: ScriptedServer[] = [];

const serve = async (script: readonly ScriptedResponse[], options: Partial<ClientOptions> = {}) => {
  const server = await startScriptedServer(script);
  running.push(server);
  const { baseUrl } = server;
  return { server, api: createClient({ baseUrl, retry: { baseDelayMs: 5 }, ...options }) };
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

describe('a call', () => {
  it('sends parameters, credential and company, and returns the parsed body', async () => {
    const { server, api } = await serve([{ status: 200, body: page }], {
      credential: 'cpk_secret',
      companyId: noteId,
    });
    const { data, response } = await api.get('/api/agents/{agentId}/runs', {
      params: { path: { agentId: runId }, query: { limit: 10 } },
    });
    expect(data.items.map(({ id }) => id)).toEqual([runId]);
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      path: `/api/agents/${runId}/runs?limit=10`,
      headers: { authorization: 'Bearer cpk_secret', 'x-company-id': noteId },
    });
  });

  it('without a credential sends no authorization header', async () => {
    const { server, api } = await serve([{ status: 200, body: run }]);
    await api.get('/api/runs/{runId}', { params: { path: { runId } } });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('reads the credential for every attempt, so that a renewed token is used', async () => {
    const tokens = ['old', 'new'];
    const { server, api } = await serve(
      [problem('service_unavailable'), { status: 200, body: run }],
      { credential: () => Promise.resolve(tokens.shift() ?? 'none') },
    );
    await api.get('/api/runs/{runId}', { params: { path: { runId } } });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
  });

  it('never follows a redirect, which could send the body to another server', async () => {
    const fetched: Request['redirect'][] = [];
    const api = createClient({
      baseUrl: 'http://127.0.0.1:1',
      fetch: (request) => {
        fetched.push(request.redirect);
        return Promise.resolve(Response.json(run));
      },
    });
    await api.get('/api/runs/{runId}', { params: { path: { runId } } });
    expect(fetched).toEqual(['error']);
  });

  it('that the OpenAPI document does not allow fails to compile', () => {
    const { get, post } = createClient({ baseUrl: 'http://127.0.0.1:1' });
    const wrong = [
      // @ts-expect-error there is no such path
      () => get('/api/nothing'),
      // @ts-expect-error the path parameter is missing
      () => get('/api/runs/{runId}'),
      () =>
        post('/api/runs/{runId}/finish', {
          params: { path: { runId } },
          // @ts-expect-error a run cannot be finished as running
          body: { status: 'running' },
        }),
    ];
    expect(wrong).toHaveLength(3);
  });
});

describe('a problem', () => {
  it('is thrown as a ProblemError with status, code, detail, request id and field errors', async () => {
    const response = problem('validation_failed');
    const errors = [{ path: '/costCents', message: 'must be a whole number' }];
    const { api } = await serve([{ ...response, body: { ...(response.body as object), errors } }]);
    await expect(
      api.post('/api/runs/{runId}/finish', {
        params: { path: { runId } },
        body: { status: 'failed' },
      }),
    ).rejects.toMatchObject({
      name: 'ProblemError',
      status: 400,
      code: 'validation_failed',
      detail: 'The request is not valid',
      requestId: 'request-1',
      errors,
    });
  });

  it('of a proxy, without a problem document, is a ProblemError too', async () => {
    const api = createClient({
      baseUrl: 'http://127.0.0.1:1',
      fetch: () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })),
    });
    await expect(
      api.get('/api/runs/{runId}', { params: { path: { runId } } }),
    ).rejects.toMatchObject({ status: 502, code: 'unexpected_answer', requestId: null });
  });

  it('is also a page with status 200, as of a portal, and is not repeated', async () => {
    let requests = 0;
    const page = { headers: { 'Content-Type': 'text/html; charset=utf-8' } };
    const api = createClient({
      baseUrl: 'http://commonplace.test',
      fetch: async () => {
        requests += 1;
        return new Response('<!doctype html>Sign in', page);
      },
    });
    const unexpected = { name: 'ProblemError', status: 200, code: 'unexpected_answer' };
    await expect(api.get('/api/agents/me')).rejects.toMatchObject(unexpected);
    for (const parseAs of ['text', 'stream'] as const) {
      await expect(api.get('/api/agents/me', { parseAs })).rejects.toMatchObject(unexpected);
    }
    expect(requests).toBe(3);
  });

  it('is also a body that is not JSON where it is read as that; an empty one is none', async () => {
    const clientOf = (body: string | null) =>
      createClient({ baseUrl: 'http://commonplace.test', fetch: async () => new Response(body) });
    await expect(clientOf('ok').get('/api/agents/me')).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
    const { data } = await clientOf(null).get('/api/agents/me');
    expect(data).toBeUndefined();
  });
});

describe('a retry', () => {
  it.each(['service_unavailable', 'rate_limited'] as const)(
    'of a read follows %s, up to the last attempt',
    async (code) => {
      const { server, api } = await serve(
        Array.from({ length: 9 }, () => problem(code)),
        {
          retry: { attempts: 3, baseDelayMs: 1 },
        },
      );
      await expect(
        api.get('/api/runs/{runId}', { params: { path: { runId } } }),
      ).rejects.toMatchObject({ code });
      expect(server.seen).toHaveLength(3);
    },
  );

  it('of a sync or of the end of a run sends the same body', async () => {
    const { server, api } = await serve([
      problem('service_unavailable'),
      { status: 200, body: syncResult },
      'drop',
      { status: 200, body: { ...run, status: 'failed' } },
    ]);
    await api.post('/api/sync', { body: { clientId: 'laptop' } });
    await api.post('/api/runs/{runId}/finish', {
      params: { path: { runId } },
      body: { status: 'failed' },
    });
    expect(server.seen.map(({ body }) => body)).toEqual([
      { clientId: 'laptop' },
      { clientId: 'laptop' },
      { status: 'failed' },
      { status: 'failed' },
    ]);
  });

  it('follows a response whose body is truncated', async () => {
    const { server, api } = await serve(['cut', { status: 200, body: syncResult }]);
    const { data } = await api.post('/api/sync', { body: {} });
    expect(data).toEqual(syncResult);
    expect(server.seen).toHaveLength(2);
  });

  it('never follows a failed creation, which might then happen twice', async () => {
    const { server, api } = await serve([problem('service_unavailable')]);
    await expect(
      api.post('/api/agents/{agentId}/runs', { params: { path: { agentId: runId } }, body: {} }),
    ).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(server.seen).toHaveLength(1);
  });

  it('waits at least as long as Retry-After', async () => {
    const { api } = await serve([
      problem('rate_limited', { 'retry-after': '1' }),
      { status: 200, body: run },
    ]);
    const startedAtMs = performance.now();
    await api.get('/api/runs/{runId}', { params: { path: { runId } } });
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(990);
  });

  it('follows an attempt that timed out', async () => {
    const { server, api } = await serve(['hang', { status: 200, body: run }], {
      attemptTimeoutMs: 50,
    });
    await api.get('/api/runs/{runId}', { params: { path: { runId } } });
    expect(server.seen).toHaveLength(2);
  });

  it('is cancelled when the caller aborts', async () => {
    const { server, api } = await serve([problem('rate_limited', { 'retry-after': '20' })]);
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 100);
    await expect(
      api.get('/api/runs/{runId}', { params: { path: { runId } }, signal: giveUp.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.seen).toHaveLength(1);
  });
});

it('a retry option that is undefined has its default', async () => {
  let calls = 0;
  const retry = { attempts: undefined, baseDelayMs: 1 } as unknown as { baseDelayMs: number };
  const fetch = () => {
    calls += 1;
    return calls < 20
      ? Promise.reject(new TypeError('lost'))
      : Promise.resolve(Response.json(page));
  };
  const api = createClient({ baseUrl: 'http://nowhere.test', retry, fetch });
  await expect(api.get('/api/agents/me')).rejects.toThrow('lost');
  expect(calls).toBe(5);
});
