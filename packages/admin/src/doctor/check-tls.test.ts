import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { checkTls } from './check-tls.ts';
import type { Deployment } from './deployment.ts';

const server = createServer((socket) => socket.end('no TLS', () => socket.destroy()));
afterEach(() => void server.close());

const check = (port: number) =>
  checkTls({ env: { PUBLIC_URL: `https://127.0.0.1:${port}` } } as unknown as Deployment);

it('a proxy that cannot be reached from here is to be opened from outside; one without a certificate fails', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await check(port)).toMatchObject([
    { state: 'failure', todo: expect.stringContaining('certificate') },
  ]);
  server.close();
  await once(server, 'close');
  expect(await check(port)).toMatchObject([
    { state: 'warning', todo: expect.stringContaining('from outside') },
  ]);
});
