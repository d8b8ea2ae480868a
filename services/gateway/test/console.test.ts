import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRequest, problemOf, sendRaw } from './send-request.ts';
import { startGateway, type TestGateway } from './start-gateway.ts';

const script = 'console.log("commonplace");'.repeat(40);
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let dir: string;
let gateway: TestGateway;
const labels: string[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'commonplace-console-'));
  await mkdir(join(dir, 'dist/assets'), { recursive: true });
  const page =
    '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><p data-shell="__SHELL__" data-color-scheme="__COLOR_SCHEME__">';
  await Promise.all([
    writeFile(join(dir, 'secret.js'), 'outside'),
    writeFile(join(dir, 'dist/index.html'), page),
    writeFile(join(dir, 'dist/sources.sha256'), 'not for browsers'),
    writeFile(join(dir, 'dist/favicon.svg'), '<svg/>'),
    writeFile(join(dir, 'dist/assets/app-1a2b.js'), script),
    writeFile(join(dir, 'dist/assets/app-1a2b.js.br'), brotliCompressSync(script)),
  ]);
  gateway = await startGateway(
    { CONSOLE_DIR: join(dir, 'dist') },
    { onResponse: ({ route }) => labels.push(route) },
  );
});
afterAll(async () => {
  await gateway.stop();
  await rm(dir, { recursive: true, force: true });
});

const policyAndNonce = async (path: string) => {
  const { headers, text } = await sendRequest(gateway.port, path, { headers: browser });
  return { policy: headers['content-security-policy'], nonce: /content="([^"]+)"/.exec(text)?.[1] };
};

describe("the console's page", () => {
  it('is sent to browsers where a route has both a page and data', async () => {
    const path = '/connect/consent/abc';
    const page = await sendRequest(gateway.port, path, { headers: browser });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const data = await sendRequest(gateway.port, path, { headers: { accept: 'application/json' } });
    expect(problemOf(data)[0]).toBe(401);
    const other = await sendRequest(gateway.port, '/connect/authorize', { headers: browser });
    expect(other.headers['content-type']).toBe('application/json');
  });

  it('is sent to browsers for every path outside the API', async () => {
    for (const path of ['/', '/login', '/companies/1/notes', '/apiary', '/assets/gone.js']) {
      const { status, headers } = await sendRequest(gateway.port, path, { headers: browser });
      expect([path, status, headers['content-type']]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(headers['cache-control']).toBe('no-cache');
    }
  });

  it('is not sent to other clients, for writes, or within the API', async () => {
    const refused = await Promise.all([
      sendRequest(gateway.port, '/login'),
      sendRequest(gateway.port, '/login', { headers: { accept: 'application/json' } }),
      sendRequest(gateway.port, '/api', { headers: browser }),
      sendRequest(gateway.port, '/api/nothing', { headers: browser }),
      sendRequest(gateway.port, '/internal/nothing', { headers: browser }),
    ]);
    for (const response of refused) {
      expect(problemOf(response)).toEqual([404, 'route_not_found']);
    }
    const posted = await sendRequest(gateway.port, '/login', { method: 'POST', headers: browser });
    expect(posted.headers['content-type']).toContain('application/problem+json');
  });

  it('has a policy without unsafe sources and a new nonce per response', async () => {
    const [one, other] = [await policyAndNonce('/'), await policyAndNonce('/login')];
    expect(one.policy).toContain(`style-src 'self' 'nonce-${one.nonce}'`);
    expect(one.policy).toContain("script-src 'self';");
    expect(one.policy).toContain("frame-ancestors 'none'");
    expect(one.policy).not.toContain('unsafe');
    expect(other.nonce).not.toBe(one.nonce);
  });

  const imagesOf = async (cookie: string, { port }: Pick<TestGateway, 'port'> = gateway) => {
    const { headers } = await sendRequest(port, '/', { headers: { ...browser, cookie } });
    return /img-src [^;]+/.exec(String(headers['content-security-policy']))?.[0];
  };
  const [all, own] = ["img-src 'self' data: https:", "img-src 'self' data:"];

  it('allows images of other servers only to browsers that chose them', async () => {
    expect(await imagesOf('a=1; commonplace_images=all')).toBe(all);
    const others = [
      '',
      'commonplace_images=al',
      'commonplace_images=all2',
      'commonplace_images=allow:x',
      'commonplace_images=all=all',
      'x=commonplace_images=all',
      'commonplace_images=',
      '__Host-commonplace_images=all',
    ];
    for (const cookie of others) {
      expect([cookie, await imagesOf(cookie)]).toEqual([cookie, own]);
    }
  });

  it('allows them over HTTPS only by a cookie that no other host of the site can set', async () => {
    const secure = await startGateway({
      CONSOLE_DIR: join(dir, 'dist'),
      PUBLIC_URL: 'https://notes.example.org',
    });
    try {
      expect(await imagesOf('__Host-commonplace_images=all', secure)).toBe(all);
      for (const cookie of ['commonplace_images=all', '__Host-commonplace_images=allow:x']) {
        expect([cookie, await imagesOf(cookie, secure)]).toEqual([cookie, own]);
      }
    } finally {
      await secure.stop();
    }
  });

  it('has the frame of the console for browsers with a session, before any script', async () => {
    const shellOf = async (cookie: string) => {
      const { text } = await sendRequest(gateway.port, '/login', {
        headers: { ...browser, cookie },
      });
      return /data-shell="([^"]+)"/.exec(text)?.[1];
    };
    expect(await shellOf('commonplace.sid=abc')).toBe('app');
    expect(await shellOf('other=1')).toBe('public');
  });

  it('has the colour scheme that was chosen in the browser, before any script, and nothing else from its cookie', async () => {
    const schemeOf = async (cookie: string) => {
      const { text } = await sendRequest(gateway.port, '/login', {
        headers: { ...browser, cookie },
      });
      return /data-color-scheme="([^"]+)"/.exec(text)?.[1];
    };
    expect(await schemeOf('a=1; commonplace_color_scheme=dark')).toBe('dark');
    expect(await schemeOf('commonplace_color_scheme=light')).toBe('light');
    for (const cookie of [
      'a=1',
      'commonplace_color_scheme=auto',
      'commonplace_color_scheme=$&<b>',
    ]) {
      expect([cookie, await schemeOf(cookie)]).toEqual([cookie, 'auto']);
    }
  });
});

describe("the console's files", () => {
  const path = '/assets/app-1a2b.js';

  it('are immutable, and compressed for clients that accept it', async () => {
    const plain = await sendRequest(gateway.port, path);
    expect(plain.text).toBe(script);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    const url = `http://127.0.0.1:${gateway.port}${path}`;
    const encodings = await Promise.all(
      ['br, gzip', 'br;q=0, identity'].map(async (accepted) => {
        const response = await fetch(url, { headers: { 'accept-encoding': accepted } });
        expect(await response.text()).toBe(script);
        return response.headers.get('content-encoding');
      }),
    );
    expect(encodings).toEqual(['br', null]);
  });

  it('are 304 when the client has them, and have no body for HEAD', async () => {
    const head = await sendRequest(gateway.port, path, { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(script.length),
    ]);
    const known = { 'if-none-match': head.headers.etag ?? '' };
    expect((await sendRequest(gateway.port, path, { headers: known })).status).toBe(304);
  });

  it('share one label of the metrics, because their names change with each release', async () => {
    labels.length = 0;
    await sendRequest(gateway.port, path);
    await sendRequest(gateway.port, '/favicon.svg');
    // A response may arrive before the gateway has recorded it.
    while (labels.length < 2) {
      await setImmediate();
    }
    expect(labels).toEqual(['/assets/*', '/favicon.svg']);
  });

  it('without a hash in their name are revalidated', async () => {
    const { headers } = await sendRequest(gateway.port, '/favicon.svg');
    expect(headers['cache-control']).toBe('public, no-cache');
  });

  it('are those of the build for browsers, and no others', async () => {
    for (const other of ['/sources.sha256', '/assets/app-1a2b.js.br', '/index.html', '/assets']) {
      expect((await sendRequest(gateway.port, other)).status).toBe(404);
    }
    for (const outside of ['/../secret.js', '/assets/..%2f..%2fsecret.js', '/%2e%2e/secret.js']) {
      const received = await sendRaw(
        gateway.port,
        `GET ${outside} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      );
      expect(received).toMatch(/^HTTP\/1\.1 4/);
      expect(received).not.toContain('outside');
    }
  });
});

it('a console that cannot be read is left out, and the gateway starts', async () => {
  const without = await startGateway({ CONSOLE_DIR: join(dir, 'secret.js') });
  try {
    const { status, text } = await sendRequest(without.port, '/', { headers: browser });
    expect([status, text]).toEqual([200, expect.stringContaining('This is the gateway')]);
  } finally {
    await without.stop();
  }
});
