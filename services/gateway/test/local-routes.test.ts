import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRequest, problemOf } from './send-request.ts';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const getBytes = (port: number, path: string, headers: Record<string, string>) =>
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

describe('health checks', () => {
  it('liveness probes no service', async () => {
    const { status, text } = await sendRequest(gateway.port, '/healthz');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
  });

  it('readiness probes every service and names the unavailable ones', async () => {
    expect((await sendRequest(gateway.port, '/readyz')).status).toBe(200);
    gateway.data.isReady = false;
    const response = await sendRequest(gateway.port, '/readyz');
    gateway.data.isReady = true;
    expect(problemOf(response)).toEqual([503, 'service_unavailable']);
    expect(JSON.parse(response.text)).toMatchObject({
      services: { auth: 'unavailable', agents: 'unavailable', notes: 'unavailable' },
      detail: expect.stringMatching(
        /^Not every service is ready: auth: .*; notes: The service is temporarily unavailable/,
      ),
    });
  });
});

describe('the description of the API', () => {
  it('is OpenAPI 3.1 of release 2.0.10, and 304 when the client has it', async () => {
    const response = await sendRequest(gateway.port, '/api/openapi.json');
    expect(JSON.parse(response.text)).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      info: { version: '2.0.10' },
    });
    const etag = response.headers.etag ?? '';
    const again = await sendRequest(gateway.port, '/api/openapi.json', {
      headers: { 'if-none-match': `"other", W/${etag}` },
    });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  });

  it.each(['/api/openapi.json', '/api/docs', '/llms.txt', '/api/docs/agents.md'])(
    'is compressed as the client accepts, with an ETag per coding: %s',
    async (path) => {
      const get = (headers: Record<string, string>) => getBytes(gateway.port, path, headers);
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
        expect(small.bytes.length).toBeLessThan(plain.bytes.length / 2);
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

  it('has the same headers and no body with HEAD', async () => {
    const { headers } = await sendRequest(gateway.port, '/api/openapi.json');
    const head = await sendRequest(gateway.port, '/api/openapi.json', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      etag: headers.etag,
      'content-length': headers['content-length'],
    });
  });

  it('is a page that can load and execute nothing', async () => {
    const { status, headers, text } = await sendRequest(gateway.port, '/api/docs');
    expect(status).toBe(200);
    expect(text).toContain('<!doctype html>');
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('the guide for language models', () => {
  it('is the same text at /llms.txt and /api/docs/agents.md, of at most 8 KB, without a credential', async () => {
    const text = await sendRequest(gateway.port, '/llms.txt');
    const markdown = await sendRequest(gateway.port, '/api/docs/agents.md');
    expect([text.status, markdown.status]).toEqual([200, 200]);
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text.text).toBe(markdown.text);
    expect(text.text).toMatch(/^# Commonplace/);
    expect(Buffer.byteLength(text.text)).toBeLessThanOrEqual(8_192);
  });
});

describe('the packages that people install from this server', () => {
  let folder: string;
  const tarball = Buffer.from([0x1f, 0x8b, 0, 255, 128]);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const index = {
    packages: [{ name: 'c', version: '1.0.0', path: '/packages/commonplace.tgz', integrity }],
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-packages-'));
    await writeFile(join(folder, 'commonplace.tgz'), tarball);
    await writeFile(join(folder, 'private.tgz'), 'not in the index');
    await writeFile(join(folder, 'index.json'), JSON.stringify(index));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are those of the index, byte for byte, without a credential; npm sees each upgrade', async () => {
    const serving = await startGateway({}, { packagesDir: folder });
    const accepted = { 'accept-encoding': 'gzip, br' };
    const { status, headers, bytes } = await getBytes(
      serving.port,
      '/packages/commonplace.tgz',
      accepted,
    );
    expect([status, bytes.equals(tarball)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, no-cache',
      etag: expect.any(String),
    });
    expect(headers).not.toHaveProperty('content-encoding');
    const listed = await sendRequest(serving.port, '/packages/index.json');
    expect(JSON.parse(listed.text)).toEqual(index);
    expect(problemOf(await sendRequest(serving.port, '/packages/private.tgz'))).toEqual([
      404,
      'route_not_found',
    ]);
    await serving.stop();
  });

  it('are not served where a file is not the one of the index, or nothing is built; the 404 says so', async () => {
    const otherFolder = await mkdtemp(join(tmpdir(), 'commonplace-packages-'));
    await writeFile(join(otherFolder, 'index.json'), JSON.stringify(index));
    await writeFile(join(otherFolder, 'commonplace.tgz'), 'of another build');
    const torn = await startGateway({}, { packagesDir: otherFolder });
    for (const { port } of [torn, gateway]) {
      const response = await sendRequest(port, '/packages/commonplace.tgz');
      expect(problemOf(response)).toEqual([404, 'route_not_found']);
      expect(response.text).toContain('This server has no packages');
    }
    await torn.stop();
    await rm(otherFolder, { recursive: true });
  });
});

describe('the landing page', () => {
  it('is for browsers; other clients get 404', async () => {
    const page = await sendRequest(gateway.port, '/', { headers: { accept: 'text/html,*/*' } });
    expect(page.text).toContain('href="/api/docs"');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(problemOf(await sendRequest(gateway.port, '/'))).toEqual([404, 'route_not_found']);
  });
});

describe('every response', () => {
  it('has a request id and the security headers', async () => {
    const { bearer: authorization } = addKey(gateway.data);
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
      const { headers } = await sendRequest(gateway.port, path, { headers: given });
      expect(headers).toMatchObject({
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });
});
