import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, problemOf } from './send-request.ts';
import { giveKey, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const askBytes = (port: number, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>(
    (resolve, reject) => {
      get({ port, path, headers, host: '127.0.0.1', agent: false }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          resolve({ status: res.statusCode, headers: res.headers, bytes: Buffer.concat(chunks) });
        });
      }).on('error', reject);
    },
  );

describe('health', () => {
  it('liveness asks nobody', async () => {
    const { status, text } = await ask(world.port, '/healthz');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
  });

  it('readiness asks every service and names those that are away', async () => {
    expect((await ask(world.port, '/readyz')).status).toBe(200);
    world.knowledge.isReady = false;
    const answered = await ask(world.port, '/readyz');
    world.knowledge.isReady = true;
    expect(problemOf(answered)).toEqual([503, 'service_unavailable']);
    expect(JSON.parse(answered.text)).toMatchObject({
      services: { auth: 'unavailable', agents: 'unavailable', notes: 'unavailable' },
      detail: expect.stringMatching(
        /^Not every service is ready: auth: .*; notes: The service is away/,
      ),
    });
  });
});

describe('the description of the API', () => {
  it('is OpenAPI 3.1 of release 2.0.10, and costs nothing when the client has it', async () => {
    const answered = await ask(world.port, '/api/openapi.json');
    expect(JSON.parse(answered.text)).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      info: { version: '2.0.10' },
    });
    const etag = answered.headers.etag ?? '';
    const again = await ask(world.port, '/api/openapi.json', {
      headers: { 'if-none-match': `"other", W/${etag}` },
    });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  });

  it.each(['/api/openapi.json', '/api/docs'])(
    'comes as small as the client takes it, each coding with an ETag of its own: %s',
    async (path) => {
      const get = (headers: Record<string, string>) => askBytes(world.port, path, headers);
      const plain = await get({});
      const decoded = { br: brotliDecompressSync, gzip: gunzipSync };
      const etags = new Set([plain.headers.etag]);
      for (const [coding, accepted] of [
        ['br', 'gzip, deflate, br'],
        ['gzip', 'gzip;q=0.5, br;q=0'],
      ] as const) {
        const small = await get({ 'accept-encoding': accepted });
        expect(small.headers).toMatchObject({
          'content-encoding': coding,
          'content-length': String(small.bytes.length),
          vary: 'Accept-Encoding',
        });
        expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3);
        expect(decoded[coding](small.bytes).equals(plain.bytes)).toBe(true);
        etags.add(small.headers.etag);
        const known = { 'if-none-match': small.headers.etag ?? '' };
        expect((await get({ 'accept-encoding': accepted, ...known })).status).toBe(304);
        expect((await get({ 'accept-encoding': 'identity', ...known })).status).toBe(200);
      }
      expect(etags.size).toBe(3);
      for (const accepted of ['identity', 'br;q=0', '*;q=0', 'deflate', 'gzip;q=0.0, br; q=0']) {
        const whole = await get({ 'accept-encoding': accepted });
        expect([accepted, whole.headers['content-encoding']]).toEqual([accepted, undefined]);
        expect(whole.headers.vary).toBe('Accept-Encoding');
      }
      expect((await get({ 'accept-encoding': '*' })).headers['content-encoding']).toBe('br');
    },
  );

  it('reads as a page that may load and run nothing', async () => {
    const { status, headers, text } = await ask(world.port, '/api/docs');
    expect(status).toBe(200);
    expect(text).toContain('<!doctype html>');
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('the front page', () => {
  it('tells a browser what runs here, and programs that there is nothing', async () => {
    const page = await ask(world.port, '/', { headers: { accept: 'text/html,*/*' } });
    expect(page.text).toContain('href="/api/docs"');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(problemOf(await ask(world.port, '/'))).toEqual([404, 'route_not_found']);
  });
});

describe('every answer', () => {
  it('carries a request id and may not be sniffed', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    for (const [path, given] of [
      ['/', {}],
      ['/healthz', {}],
      ['/readyz', {}],
      ['/api/docs', {}],
      ['/nothing', {}],
      ['/api/things', {}],
      ['/api/things', { authorization }],
      ['/api/things', { 'x-company-id': 'nonsense', authorization }],
    ] as const) {
      const { headers } = await ask(world.port, path, { headers: given });
      expect(headers).toMatchObject({
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });
});
