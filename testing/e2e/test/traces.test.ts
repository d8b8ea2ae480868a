import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  isCitusRun,
  startTraceCollector,
  type ReceivedSpan,
  type TraceCollector,
} from '@commonplace/testkit';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { pidsOf } from '../src/processes.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/** On Citus a read is a transaction, because only one passes its company on. */
const readName = isCitusRun() ? 'transaction' : 'lookup';

let collector: TraceCollector;
let system: TestSystem;
let company: CompanyWorld;
let agent: Api;

beforeAll(async () => {
  collector = await startTraceCollector();
  system = await startTestSystem('authenticated', {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  company = await makeCompany(system.as(await system.boardHeaders()), 'Traced', {
    baseUrl: system.baseUrl,
    withInvite: false,
  });
  agent = system.as(bearer(company.key));
}, 120_000);
afterAll(async () => {
  await system.stop();
  collector.stop();
});

/** A caller's trace: its `traceparent`, and the spans of that trace. */
const newTrace = () => {
  const traceId = randomUUID().replaceAll('-', '');
  const spanId = traceId.slice(0, 16);
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
};

const inTrace = (traceId: string) => (spans: readonly ReceivedSpan[]) =>
  spans.filter((span) => span.traceId === traceId);

/** The spans of a trace by name, once all of these are there. */
const spansOf = (traceId: string, names: readonly string[]) =>
  collector.waitFor((spans) => {
    const found = new Map(inTrace(traceId)(spans).map((span) => [span.name, span]));
    return names.every((name) => found.has(name)) ? found : undefined;
  });

describe('a trace', () => {
  it('leads from its caller through gateway and service to the read of a note', async () => {
    const { traceId, spanId, headers } = newTrace();
    const path = `/api/notes/${company.noteId}`;
    expect((await agent('GET', path, { headers })).status).toBe(200);
    const names = ['GET /api/notes/{id}', 'notes getNote'];
    const all = await collector.waitFor((spans) => {
      const found = inTrace(traceId)(spans);
      const hasRead = found.some(
        ({ service, name }) => service.endsWith('notes') && name === readName,
      );
      return hasRead && names.every((each) => found.some(({ name }) => name === each))
        ? found
        : undefined;
    });
    const at = (service: string, name: string) =>
      all.find((span) => span.service === `commonplace-${service}` && span.name === name);
    const request = at('gateway', 'GET /api/notes/{id}');
    const upstream = at('gateway', 'notes getNote');
    const handler = at('notes', 'GET /api/notes/{id}');
    const read = at('notes', readName);
    expect(request?.parentId).toBe(spanId);
    expect(upstream?.parentId).toBe(request?.spanId);
    expect(handler?.parentId).toBe(upstream?.spanId);
    expect(read?.parentId).toBe(handler?.spanId);
    expect(request?.attributes).toMatchObject({
      'http.route': '/api/notes/{id}',
      'http.response.status_code': 200,
      'commonplace.company_id': company.companyId,
    });
  });

  it('holds the lookup of a credential that the gateway does not know yet', async () => {
    const { traceId, headers } = newTrace();
    const owner = system.as(await system.boardHeaders());
    const made = await owner('POST', `/api/agents/${company.agentId}/keys`, {
      body: { name: 'New' },
    });
    const { key } = made.body as { readonly key: string };
    await system.as(bearer(key))('GET', '/api/agents/me', { headers });
    const found = await spansOf(traceId, ['lookup', 'verifyKey', 'POST /internal/keys/verify']);
    expect(found.get('verifyKey')?.service).toBe('commonplace-gateway');
    expect(found.get('POST /internal/keys/verify')?.parentId).toBe(found.get('verifyKey')?.spanId);
  });

  it('has a batch of writes with links to the requests it holds, and they to it', async () => {
    const traces = Array.from({ length: 40 }, newTrace);
    await Promise.all(
      traces.map(({ headers }) =>
        agent('PUT', `/api/notes/${randomUUID()}`, { headers, body: { title: 'x' } }),
      ),
    );
    const batch = await collector.waitFor((spans) =>
      spans.find(({ name, links }) => name === 'write batch' && links.length > 1),
    );
    expect(batch.attributes['commonplace.requests']).toBe(batch.links.length);
    const requests = await collector.waitFor((spans) => {
      const linked = spans.filter(({ spanId }) => batch.links.includes(spanId));
      return linked.length === batch.links.length ? linked : undefined;
    });
    for (const request of requests) {
      expect(request.name).toBe('PUT /api/notes/{id}');
      expect(request.links).toContain(batch.spanId);
    }
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(requests.length);
    expect(requests.map(({ spanId }) => spanId)).toContain(batch.parentId);
    const transaction = await collector.waitFor((spans) =>
      spans.find(({ name, parentId }) => name === 'transaction' && parentId === batch.spanId),
    );
    expect(transaction.traceId).toBe(batch.traceId);
  });

  it('has a span for a call of an MCP tool, by its name', async () => {
    const { traceId, headers } = newTrace();
    const call = { name: 'whoami', arguments: {} };
    const client = createApi({ baseUrl: system.baseUrl, headers: bearer(company.key) });
    await client('POST', '/mcp', {
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    });
    const found = await spansOf(traceId, ['mcp tool call', 'notes callMcp']);
    const tool = found.get('mcp tool call');
    expect(tool?.attributes['gen_ai.tool.name']).toBe('whoami');
    expect(inTrace(traceId)(collector.spans).map(({ spanId }) => spanId)).toContain(tool?.parentId);
  });

  it('of its own has each chunk of a background job', async () => {
    const changes = [
      { mutationId: randomUUID(), op: 'put', id: randomUUID(), note: { title: 'x' } },
    ];
    const made = await agent('POST', '/api/sync', {
      body: { clientId: 'traced', mode: 'background', changes },
    });
    expect(made.status).toBe(202);
    const { jobId } = made.body as { readonly jobId: string };
    const chunk = await collector.waitFor((spans) =>
      spans.find(
        ({ name, attributes }) =>
          name === 'job chunk' && attributes['commonplace.job_id'] === jobId,
      ),
    );
    expect(chunk.parentId).toBe('');
    await spansOf(chunk.traceId, ['transaction', 'write batch']);
  });

  it('names the error of a failed request, and the log lines name the trace', async () => {
    const { traceId, headers } = newTrace();
    const [notes = 0] = pidsOf(system.system, 'notes');
    process.kill(notes, 'SIGKILL');
    const body = { title: 'x' };
    const failed = await agent('PUT', `/api/notes/${randomUUID()}`, { headers, body });
    expect(failed.status).toBe(503);
    const names = ['PUT /api/notes/{id}', 'notes putNote'];
    const found = await spansOf(traceId, names);
    for (const name of names) {
      expect(found.get(name)).toMatchObject({
        isError: true,
        attributes: { 'error.type': 'service_unavailable' },
      });
    }
    const lines = system
      .output()
      .split('\n')
      .filter((line) => line.includes(traceId));
    expect(lines.length).toBeGreaterThan(0);
  });

  it('never has keys, tokens, titles, queries or the ids in paths of what was sent', async () => {
    const secret = `word${randomUUID().slice(0, 8)}`;
    await expect(
      collector.waitFor(() => collector.spans.length || undefined),
    ).resolves.toBeGreaterThan(0);
    const { traceId, headers } = newTrace();
    const body = { title: secret, content: secret };
    for (;;) {
      const written = await agent('PUT', `/api/notes/${randomUUID()}`, { body });
      if (written.status === 201) {
        break;
      }
    }
    await agent('GET', `/api/search?q=${secret}`, { headers });
    await agent('GET', `/api/notes/${secret}?token=${secret}`, { headers });
    await spansOf(traceId, ['GET /api/notes/{id}']);
    const sent = Buffer.concat(collector.bodies).toString('latin1');
    for (const given of [secret, company.key, company.runToken, 'Bearer']) {
      expect(sent.includes(given)).toBe(false);
    }
    expect(new Set(collector.authorizations)).toEqual(new Set(['Bearer of-the-collector']));
  });
});

describe('a collector that stalls, or refuses', () => {
  it('delays and fails no request, and the system stops all the same', async () => {
    const goOn = collector.stall();
    const path = `/api/notes/${company.noteId}`;
    for (let round = 0; round < 20; round += 1) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => agent('GET', path)));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    }
    collector.respondWith(500);
    goOn();
    expect((await agent('GET', path)).status).toBe(200);
    collector.stall();
    await system.stop();
  }, 60_000);
});
