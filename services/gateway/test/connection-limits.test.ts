import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createCounters } from '../src/observability/counters.ts';
import { sendRequest } from './send-request.ts';
import { startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
const clients: Socket[] = [];

afterEach(async () => {
  clients.splice(0).forEach((client) => client.destroy());
  await gateway.stop();
});

/** The status of a request on a new connection that stays open; null when the connection was refused. */
const open = async (localAddress = '127.0.0.1'): Promise<number | null> => {
  const client = connect({ port: gateway.port, host: '127.0.0.1', localAddress });
  client.on('error', () => undefined);
  clients.push(client);
  client.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  const [data] = await Promise.race([once(client, 'data'), once(client, 'close')]);
  return Buffer.isBuffer(data) ? Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]) : null;
};

const openMany = async (count: number, localAddress?: string) => {
  const statuses: (number | null)[] = [];
  for (let index = 0; index < count; index += 1) {
    statuses.push(await open(localAddress));
  }
  return statuses;
};

const logged = () => {
  const lines: object[] = [];
  return { lines, log: { warn: (fields: object) => void lines.push(fields) } };
};

describe('the connections of one address', () => {
  it('are refused beyond the limit, and counted; other addresses are served', async () => {
    const counters = createCounters();
    gateway = await startGateway({ CONNECTIONS_PER_ADDRESS: '3' }, { counters });
    expect(await openMany(6)).toEqual([200, 200, 200, null, null, null]);
    expect(await open('127.0.0.2')).toBe(200);
    expect(counters).toMatchObject({ connections: 4, refused: { address: 3, total: 0 } });
    clients[0]?.destroy();
    while (counters.connections > 3) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await open()).toBe(200);
  });

  it('are not limited for trusted proxies, in local trusted mode, and when the limit is 0', async () => {
    for (const env of [
      { CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.0/8' },
      { CONNECTIONS_PER_ADDRESS: '0' },
    ]) {
      gateway = await startGateway(env);
      expect(await openMany(4)).toEqual([200, 200, 200, 200]);
      clients.splice(0).forEach((client) => client.destroy());
      await gateway.stop();
    }
    const counters = createCounters();
    gateway = await startGateway(
      { CONNECTIONS_PER_ADDRESS: '2', DEPLOYMENT_MODE: 'local_trusted' },
      { counters },
    );
    // 421, because the Host header names another host.
    expect(await openMany(4)).toEqual([421, 421, 421, 421]);
    expect(counters.refused.address).toBe(0);
  });
});

describe('all connections', () => {
  it('are refused beyond the limit, counted, and logged in one line', async () => {
    const counters = createCounters();
    const { lines, log } = logged();
    gateway = await startGateway({}, { counters, limits: { connectionsMax: 2, log } });
    expect(await openMany(5)).toEqual([200, 200, null, null, null]);
    expect(counters.refused).toEqual({ total: 3, address: 0 });
    expect(lines).toEqual([{ limit: 'total', count: 1, address: '127.0.0.1' }]);
    clients[0]?.destroy();
    while (counters.connections > 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await sendRequest(gateway.port, '/healthz')).status).toBe(200);
  });
});
