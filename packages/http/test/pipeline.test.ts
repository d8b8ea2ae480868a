import { once } from 'node:events';
import { request as beginRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { agentId, keyId, operatorId, type Role } from '@commonplace/contracts';
import type { Caller, CompanyMembership } from '@commonplace/identity';
import { pino } from 'pino';
import request from 'supertest';
import { refusedByClock } from '../src/pipeline/assert-same-time.ts';
import {
  absentNote,
  companyA,
  companyB,
  exampleApp,
  foreignNote,
  headersOf,
  ownNote,
} from './example-app.ts';

const agent: Caller = {
  kind: 'agent',
  agentId: agentId.parse('0198a000-0000-7000-8000-0000000000d1'),
  agentName: 'Ada',
  agentStatus: 'active',
  companyId: companyA,
  keyId: keyId.parse('0198a000-0000-7000-8000-0000000000e1'),
  runId: null,
  scopes: null,
  expiresAt: null,
};

const operatorOf = (companies: readonly CompanyMembership[] | null): Caller => ({
  kind: 'operator',
  operatorId: operatorId.parse('0198a000-0000-7000-8000-0000000000f1'),
  name: 'Olga',
  email: 'olga@example.org',
  isAdmin: false,
  isLocal: false,
  sessionId: null,
  selectedCompanyId: null,
  companies,
});
const grant = (role: Role, companyStatus: 'active' | 'archived' = 'active'): CompanyMembership => ({
  companyId: companyA,
  role,
  companyStatus,
});

const put = (id: string, caller: Caller, body: unknown = { text: 'hi' }) =>
  request(exampleApp())
    .put(`/api/examples/${id}`)
    .set(headersOf(caller))
    .set('content-type', 'application/json')
    .send(body as object);

describe('the order of checks', () => {
  it('responds with 401 without a signed identity, before the path is read', async () => {
    const response = await request(exampleApp()).put('/api/examples/not-a-uuid');
    expect(response.status).toBe(401);
    expect(response.body.code).toBe('identity_required');
  });

  it.each([-60_000, 60_000])(
    'responds with 503 and a warning when the clock of the gateway differs by %d ms: its caller is valid',
    async (differenceMs) => {
      const lines: Record<string, unknown>[] = [];
      const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
      const log = pino({ level: 'warn' }, { write });
      const before = refusedByClock();
      const app = exampleApp({ log, nowMs: () => Date.now() + differenceMs });
      const response = await request(app).put(`/api/examples/${ownNote}`).set(headersOf(agent));
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toBe('5');
      expect(response.body.code).toBe('service_unavailable');
      expect(refusedByClock()).toBe(before + 1);
      expect(lines.map(({ level }) => level)).toEqual([40]);
      expect(lines[0]?.['cause']).toMatch(/^The clock of gateway is \d+ s (?:ahead of|behind)/);
    },
  );

  it('responds with 401 when the trusted header names another company than the identity', async () => {
    const response = await request(exampleApp())
      .put(`/api/examples/${ownNote}`)
      .set({ ...headersOf(agent), 'x-company-id': companyB });
    expect(response.status).toBe(401);
  });

  it('responds with 400 for a malformed id before any other check of the caller', async () => {
    expect((await put('not-a-uuid', agent)).status).toBe(400);
  });

  it('responds with 403 for an entity of another company even when the body is not valid', async () => {
    const response = await put(foreignNote, agent, { text: 'far too long for this' });
    expect(response.status).toBe(403);
    expect(response.body.code).toBe('cross_company');
  });

  it('responds with 404 for an id that does not exist even when the body is not valid', async () => {
    expect((await put(absentNote, agent, { wrong: true })).status).toBe(404);
  });

  it('responds with 403 for a foreign entity before the role is checked', async () => {
    const response = await put(foreignNote, operatorOf([grant('viewer')]));
    expect(response.body.code).toBe('cross_company');
  });

  it('responds with 403 for a role that is too weak before the body is checked', async () => {
    const response = await put(ownNote, operatorOf([grant('viewer')]), { wrong: true });
    expect(response.body.code).toBe('role_insufficient');
  });

  it('responds with 400 for a bad body before the state of the company is checked', async () => {
    const response = await put(ownNote, operatorOf([grant('owner', 'archived')]), { wrong: true });
    expect(response.body.code).toBe('validation_failed');
  });

  it('rejects an agent without the scope before validation, state and the lookup of the entity', async () => {
    const reader: Caller = { ...agent, agentStatus: 'paused', scopes: ['notes:read'] };
    for (const id of [ownNote, absentNote, foreignNote]) {
      const response = await put(id, reader, { wrong: true });
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'insufficient_scope', scope: 'notes:write' });
      expect(response.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_scope", scope="notes:write"',
      );
    }
    expect((await put(ownNote, { ...agent, scopes: [] })).body.code).toBe('insufficient_scope');
    expect((await put(ownNote, { ...agent, scopes: ['notes:write'] })).status).toBe(200);
  });

  it('responds with 409 for a write into an archived company', async () => {
    expect((await put(ownNote, operatorOf([grant('owner', 'archived')]))).body.code).toBe(
      'company_archived',
    );
  });

  it('responds with 409 for a write by a paused agent', async () => {
    expect((await put(ownNote, { ...agent, agentStatus: 'paused' })).body.code).toBe(
      'agent_paused',
    );
  });

  it('requires an operator of more than 100 companies to select one', async () => {
    expect((await put(ownNote, operatorOf(null))).body.code).toBe('company_required');
  });
});

describe('a good request', () => {
  it('is sent through the response schema, which drops undeclared fields', async () => {
    const response = await put(ownNote.toUpperCase(), operatorOf([grant('operator')]));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ id: ownNote, text: 'hi' });
    expect(response.headers['x-request-id']).toEqual(expect.any(String));
  });

  it('needs no identity where the contract says public, and literal paths win over parameters', async () => {
    const response = await request(exampleApp()).get('/api/examples/open');
    expect(response.body).toEqual({ hello: 'world' });
  });

  it('by HEAD gets the headers of a stream, and does not wait until the stream ends', async () => {
    const response = await request(exampleApp()).head('/api/examples/stream');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  });
});

describe('bodies and queries', () => {
  const send = (raw: string | Buffer, type = 'application/json') =>
    request(exampleApp())
      .put(`/api/examples/${ownNote}`)
      .set(headersOf(agent))
      .set('content-type', type)
      .serialize((body: unknown) => body as string)
      .send(raw as string);

  it('rejects other content types with 415', async () => {
    expect((await send('text=hi', 'application/x-www-form-urlencoded')).status).toBe(415);
  });

  it('rejects malformed JSON, bytes that are not UTF-8 and deep nesting with 400', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    for (const raw of ['{"text":', Buffer.from([0x22, 0xff, 0x22]), deep]) {
      const response = await send(raw);
      expect([response.status, response.body.code]).toEqual([400, 'malformed_json']);
    }
  });

  it('rejects JSON that is not UTF-8 with 415, so that nothing nests unseen', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    // The first byte of the letter is that of a quotation mark.
    const hidden = Buffer.from(`{"text":"\u0122","other":${deep}}`, 'utf16le');
    for (const charset of ['utf-16le', 'UTF-16', '"utf-16le"', 'utf-32', 'latin1']) {
      const type = `application/json; charset=${charset}`;
      expect([charset, (await send(hidden, type)).status]).toEqual([charset, 415]);
    }
    expect((await send('{"text":"hi"}', 'application/json;charset="UTF-8"')).status).toBe(200);
  });

  it('rejects a body beyond 64 KiB with 413, unless its contract allows more', async () => {
    expect((await send(JSON.stringify({ text: 'x'.repeat(64 * 1024) }))).status).toBe(413);
  });

  it('rejects a length beyond the limit with 413, without waiting for the body', async () => {
    const server = exampleApp().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const upload = beginRequest({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      path: `/api/examples/${ownNote}`,
      headers: { ...headersOf(agent), 'content-type': 'application/json', 'content-length': 1e12 },
    });
    upload.once('error', () => undefined).flushHeaders();
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    upload.destroy();
    server.close();
    server.closeAllConnections();
  });

  it('names every field that is wrong with a JSON pointer', async () => {
    const response = await put(ownNote, agent, { text: 5, other: 1 });
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body.errors.map((error: { path: string }) => error.path)).toContain('/text');
  });

  it('names what a body has for a route that takes none, and accepts an empty one', async () => {
    const send = (text: string, type = 'application/json') =>
      request(exampleApp()).get('/api/examples/open').set('content-type', type).send(text);
    const refused = await send('{"reason":"stuck"}');
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.errors).toEqual([{ path: '', message: expect.stringContaining('reason') }]);
    expect((await send('{"a":')).body.code).toBe('malformed_json');
    expect((await send('[1]')).status).toBe(400);
    for (const empty of ['{}', 'null', '']) {
      expect((await send(empty)).status).toBe(200);
    }
    // Neither of JSON nor small: it is not read.
    expect((await send('a=1', 'application/x-www-form-urlencoded')).status).toBe(200);
  });

  it('rejects unknown and repeated query parameters, and takes declared lists', async () => {
    const withQuery = (query: string) =>
      request(exampleApp())
        .put(`/api/examples/${ownNote}?${query}`)
        .set(headersOf(agent))
        .send({ text: 'hi' });
    expect((await withQuery('nope=1')).status).toBe(400);
    expect((await withQuery('dry=true&dry=true')).status).toBe(400);
    expect((await withQuery('dry=%00')).status).toBe(400);
    expect((await withQuery('tag=a&tag=b')).status).toBe(200);
  });

  it('names at most 50 unknown parameters, however many there are', async () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `x${index}`).join('&');
    const response = await request(exampleApp())
      .put(`/api/examples/${ownNote}?${query}`)
      .set(headersOf(agent))
      .send({ text: 'hi' });
    expect([response.status, response.body.errors.length]).toEqual([400, 50]);
  });
});
