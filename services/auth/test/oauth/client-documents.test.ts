import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperatorCaller } from '@commonplace/identity';
import { as } from '@commonplace/testkit';
import {
  cookieFor,
  createWorld,
  withCookie,
  type World,
  type WorldOptions,
} from '../support/auth-world.ts';
import {
  approval,
  authorizeQuery,
  begin,
  codeForm,
  consent,
  decide,
  postToken,
  readConsent,
  redirectUri,
  refreshForm,
  type Tokens,
} from '../support/oauth-client.ts';

let world: World;
let app: RequestListener;
let caller: OperatorCaller;
let server: Server;
let dir: string;
let port: number;
let ca: string;
const requests: string[] = [];
const pages = new Map<string, (req: IncomingMessage, res: ServerResponse) => void>();
/** What names resolve to; the addresses of this set count as public, and all are this machine. */
const names = new Map<string, string[]>();

const makeCertificate = async (): Promise<{ key: string; cert: string }> => {
  dir = await mkdtemp(join(tmpdir(), 'commonplace-documents-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const command = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const hosts = 'subjectAltName=DNS:app.example,DNS:mixed.example';
  const files = ['-keyout', key, '-out', cert];
  const subject = ['-subj', '/CN=app.example', '-addext', hosts];
  await promisify(execFile)('openssl', [...command.split(' '), ...files, ...subject]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
};

/** A network in which this machine is the public one. */
const network = (): NonNullable<WorldOptions['network']> => ({
  ca,
  isPublic: (address) => address === '127.0.0.1',
  lookup: (hostname, _options, callback) => {
    const found = names.get(hostname) ?? [];
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  },
});

beforeAll(async () => {
  world = await createWorld();
  const { key, cert } = await makeCertificate();
  server = createServer({ key, cert }, (req, res) => {
    requests.push(req.url ?? '');
    (pages.get(req.url ?? '') ?? ((_req, other) => void other.writeHead(404).end()))(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  ca = cert;
  app = world.appWith({ network: network() });
  names.set('app.example', ['127.0.0.1']);
  await world.operator('olga@example.org');
  ({ caller } = await withCookie(app, await cookieFor(app, 'olga@example.org')));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(dir, { recursive: true, force: true });
  await world.close();
});

let count = 0;
/** Publishes a document and returns its address, which is the id of the client. */
const publish = (more: Readonly<Record<string, unknown>> = {}, host = 'app.example'): string => {
  count += 1;
  const path = `/client-${count}.json`;
  const id = `https://${host}:${port}${path}`;
  const document = { client_id: id, client_name: 'App', redirect_uris: [redirectUri], ...more };
  pages.set(path, (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  return id;
};

/** Whether an authorization of this client is refused without a way back. */
const isRefused = async (clientId: string, at = app): Promise<boolean> => {
  const { query } = authorizeQuery({ clientId });
  const { status, headers } = await as(at, null).get(`/connect/authorize?${query}`);
  return headers['location'] === undefined && status >= 400 && status < 500;
};

describe('a client that names itself by the address of its metadata', () => {
  it('is shown by the host of the document, and connects without registering', async () => {
    const clientId = publish();
    const begun = await begin(app, { clientId });
    const { body } = await readConsent(app, caller, begun).expect(200);
    expect(body).toMatchObject({
      client: { name: 'App', host: `app.example:${port}`, isNamedByHost: true },
    });
    const code = String((await consent(app, caller, begun)).searchParams.get('code'));
    const { body: tokens } = await postToken(app, codeForm({ clientId, code, begun })).expect(200);
    expect(tokens).toHaveProperty('refresh_token');
  });

  it('connects also under a name with half a character', async () => {
    const clientId = publish({ client_name: 'x\ud800y' });
    const begun = await begin(app, { clientId });
    expect((await consent(app, caller, begun)).searchParams.get('code')).not.toBeNull();
  });

  it('refreshes by the copy that was consented to, whatever its host publishes later', async () => {
    const clientId = publish();
    const begun = await begin(app, { clientId });
    const code = String((await consent(app, caller, begun)).searchParams.get('code'));
    const { body } = await postToken(app, codeForm({ clientId, code, begun })).expect(200);
    pages.clear();
    const before = requests.length;
    const form = refreshForm(clientId, (body as Tokens).refresh_token);
    await postToken(app, form).expect(200);
    expect(requests).toHaveLength(before);
  });

  it('of loopback addresses may use any port', async () => {
    const clientId = publish({ redirect_uris: ['http://127.0.0.1/callback'] });
    const params = { redirect_uri: 'http://127.0.0.1:51234/callback' };
    const begun = await begin(app, { clientId, params });
    const { body } = await readConsent(app, caller, begun).expect(200);
    expect(body).toMatchObject({ client: { isLoopback: true, isNamedByHost: true } });
  });

  it('needs a new consent when its document changes while the page is open', async () => {
    const clientId = publish();
    const begun = await begin(app, { clientId });
    const { body } = await readConsent(app, caller, begun).expect(200);
    const decision = approval((body as { version: string }).version);
    // Another replica, which has not read the document yet, reads what is there now.
    pages.set(new URL(clientId).pathname, (_req, res) => {
      const changed = { client_id: clientId, client_name: 'Bank', redirect_uris: [redirectUri] };
      res.end(JSON.stringify(changed));
    });
    const replica = world.appWith({ network: network() });
    await decide(replica, caller, { ...begun, decision }).expect(409);
  });
});

describe('with metadata documents off', () => {
  it('the server does not offer them, reads none, and those who connected before go on', async () => {
    const clientId = publish();
    const begun = await begin(app, { clientId });
    const code = String((await consent(app, caller, begun)).searchParams.get('code'));
    const { body } = await postToken(app, codeForm({ clientId, code, begun })).expect(200);
    const off = world.appWith({ network: network(), takesDocuments: false });
    const offered = async (each: RequestListener): Promise<unknown> => {
      const path = '/.well-known/oauth-authorization-server/connect';
      const metadata = (await as(each, null).get(path).expect(200)).body as Record<string, unknown>;
      return metadata['client_id_metadata_document_supported'];
    };
    expect([await offered(app), await offered(off)]).toEqual([true, undefined]);
    const before = requests.length;
    expect(await isRefused(clientId, off)).toBe(true);
    await postToken(off, refreshForm(clientId, (body as Tokens).refresh_token)).expect(200);
    expect(requests).toHaveLength(before);
  });
});

describe('a metadata document', () => {
  it('that cannot be read is named on the page, with the setting that does without it', async () => {
    const pageOf = async (clientId: string) => {
      const { query } = authorizeQuery({ clientId });
      return (await as(app, null).get(`/connect/authorize?${query}`).expect(400)).text;
    };
    const text = await pageOf(`${publish()}<b>`);
    expect(text).toContain('%3Cb%3E. If the server cannot call');
    expect(text).toContain('OAUTH_CLIENT_DOCUMENTS=off');
    expect(text).not.toContain('<b>');
    for (const clientId of ['unknown', 'https://x call this number']) {
      expect(await pageOf(clientId)).not.toContain('OAUTH_CLIENT_DOCUMENTS');
    }
  });

  it('is not read from an address that is not public, by name or by number', async () => {
    const id = publish();
    const at = (host: string) => id.replace('app.example', host);
    names.set('private.example', ['10.0.0.1']);
    names.set('mixed.example', ['127.0.0.1', '10.0.0.1']);
    names.set('nowhere.example', []);
    const before = requests.length;
    for (const host of [
      'private.example',
      'mixed.example',
      'nowhere.example',
      '10.0.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '[::1]',
      '[fd00::1]',
      '[::ffff:10.0.0.1]',
      '0x0a000001',
      '167772161',
      'localhost',
    ]) {
      expect(await isRefused(at(host))).toBe(true);
    }
    expect(await isRefused(id.replace('https:', 'http:'))).toBe(true);
    expect(requests).toHaveLength(before);
  });

  it('must name itself, be small, and come without a redirect', async () => {
    const other = publish();
    expect(await isRefused(publish({ client_id: other }))).toBe(true);
    expect(await isRefused(publish({ client_name: 'x'.repeat(10_000) }))).toBe(true);
    expect(await isRefused(publish({ redirect_uris: ['http://evil.example/'] }))).toBe(true);
    expect(await isRefused(publish({ redirect_uris: [] }))).toBe(true);
    const redirecting = publish();
    pages.set(new URL(redirecting).pathname, (_req, res) => {
      res.writeHead(302, { location: new URL(other).pathname }).end();
    });
    expect(await isRefused(redirecting)).toBe(true);
    const endless = publish();
    pages.set(new URL(endless).pathname, (_req, res) => {
      res.writeHead(200);
      const more = () => {
        while (res.write('x'.repeat(1_024))) {
          // Until the other side stops reading.
        }
      };
      res.on('drain', more);
      more();
    });
    expect(await isRefused(endless)).toBe(true);
    for (const text of ['[]', 'null', '{', '"text"', '']) {
      const broken = publish();
      pages.set(new URL(broken).pathname, (_req, res) => void res.end(text));
      expect(await isRefused(broken)).toBe(true);
    }
  });

  it('has 2.5 s', async () => {
    const slow = publish();
    pages.set(new URL(slow).pathname, (_req, res) => {
      res.writeHead(200);
      res.write('{');
    });
    expect(await isRefused(slow)).toBe(true);
  });
});
