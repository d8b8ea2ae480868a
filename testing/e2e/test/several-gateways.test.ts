import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { bearer } from '../src/call-api.ts';
import { startLoad, type Load } from '../src/load.ts';
import { missingNotes } from '../src/missing-notes.ts';
import { startNginx, type Nginx } from '../src/nginx.ts';
import { pidsOf } from '../src/processes.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/** nginx, with infra/nginx/commonplace.conf, spreads over two gateways. */
const hostName = 'commonplace.test';
let system: TestSystem;
let company: CompanyWorld;
let gatewayUrls: readonly string[];
let nginx: Nginx;
let load: Load;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 2 },
    env: { RATE_LIMIT_PER_SECOND: '0', TRUST_PROXY: '127.0.0.1' },
  });
  company = await makeCompany(system.as(await system.boardHeaders()), 'Twofold', {
    baseUrl: system.baseUrl,
    withInvite: true,
  });
  const gateways = system.system.processes.filter(({ name }) => name === 'gateway');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: httpsPort } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  gatewayUrls = gateways.map(({ port }) => `http://127.0.0.1:${port}`);
  nginx = await startNginx({ httpsPort, hostName, gatewayUrls, failTimeoutSeconds: 1 });
  load = startLoad({
    baseUrl: `https://127.0.0.1:${httpsPort}`,
    key: company.key,
    tls: { ca: nginx.certificate, servername: hostName },
  });
}, 120_000);

afterAll(async () => {
  await load?.stop();
  await nginx?.stop();
  await system?.stop();
});

it('SIGTERM to one gateway after another fails no request', async () => {
  await sleep(1_000);
  for (const pid of pidsOf(system.system, 'gateway')) {
    process.kill(pid, 'SIGTERM');
    await untilTwoWithout(pid);
    await until(areReady);
    // nginx tries a server that has refused again after a second.
    await sleep(1_500);
  }
  await load.stop();
  expect(load.failures).toEqual([]);
  expect(load.acknowledged.length).toBeGreaterThan(100);
  expect(await missingNotes(system.as(bearer(company.key)), load.acknowledged)).toEqual([]);
}, 120_000);

const areReady = async (): Promise<boolean> => {
  const responses = gatewayUrls.map((url) => fetch(`${url}/readyz`).catch(() => null));
  return (await Promise.all(responses)).every((response) => response?.ok);
};

const untilTwoWithout = (pid: number): Promise<void> =>
  until(() => {
    const gateways = system.system.processes.filter(({ name }) => name === 'gateway');
    return gateways.every((gateway) => gateway.pid !== null && gateway.pid !== pid);
  });
