import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { findFreePort } from '@commonplace/embedded-postgres';
import { until } from '@commonplace/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeCertificate } from '../src/make-certificate.ts';

/** infra/nginx/start-proxy as in its container, with paths of its own. */
const infra = join(import.meta.dirname, '../../../infra/nginx');
let folder: string;
let gateway: Server;
let httpsPort: number;
let proxy: ChildProcess;
let ended: Promise<unknown>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-proxy-'));
  gateway = createServer().listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  httpsPort = await findFreePort();
  await makeCertificate(folder, 'before.test');
  for (const name of ['start-proxy', 'nginx.conf', 'commonplace.conf']) {
    const text = await readFile(join(infra, name), 'utf8');
    await writeFile(join(folder, name), inFolder(text));
  }
  proxy = spawn('bash', [join(folder, 'start-proxy')], {
    stdio: 'ignore',
    env: {
      PATH: `${process.env['PATH']}:/usr/sbin`,
      GATEWAY_PORT: String((gateway.address() as AddressInfo).port),
      TLS_CERTIFICATE_FILE: join(folder, 'certificate.pem'),
      TLS_KEY_FILE: join(folder, 'key.pem'),
    },
  });
  ended = once(proxy, 'exit');
}, 30_000);
afterAll(async () => {
  proxy.kill('SIGTERM');
  await ended;
  gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const inFolder = (text: string): string =>
  text
    .replaceAll('/tmp/', `${folder}/`)
    .replaceAll('/etc/commonplace', folder)
    .replaceAll('getent ahostsv4 gateway', 'getent ahostsv4 127.0.0.1')
    .replaceAll('listen 443', `listen 127.0.0.1:${httpsPort}`);

/** The name in the certificate of the next handshake; undefined while nothing listens. */
const certifiedName = async (): Promise<string | undefined> => {
  const socket = connect({ host: '127.0.0.1', port: httpsPort, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return String(socket.getPeerCertificate().subject.CN);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
};

describe('the proxy of the container', () => {
  it('loads a certificate that is renewed in its file, and keeps the last one until its key is there too', async () => {
    await until(async () => (await certifiedName()) === 'before.test');
    const renewed = join(folder, 'renewed');
    await mkdir(renewed);
    await makeCertificate(renewed, 'after.test');
    await copyFile(join(renewed, 'certificate.pem'), join(folder, 'certificate.pem'));
    expect(await certifiedName()).toBe('before.test');
    await copyFile(join(renewed, 'key.pem'), join(folder, 'key.pem'));
    await until(async () => (await certifiedName()) === 'after.test');
    expect(await certifiedName()).toBe('after.test');
  }, 60_000);
});
