import { findFreePort } from '@commonplace/embedded-postgres';
import { expect, it } from '@jest/globals';
import { planProcesses } from './plan-processes.ts';
import { assertPortIsFree } from './ports.ts';

it('plans no process at a port that PORT or METRICS_PORT gives to another', async () => {
  const first = await findFreePort();
  const block = first - (first % 1_000);
  const given = Array.from({ length: 500 }, (_, index) => block + 2 * index);
  for (const port of given) {
    // Another program may have one.
    await assertPortIsFree({ host: '127.0.0.1', port, waitSeconds: 0 }).catch(() => undefined);
  }
  const replicas = { gateway: 10, auth: 10, agents: 10, notes: 10 };
  const planned = await planProcesses({ host: '127.0.0.1', port: block, replicas });
  const atGiven = planned.filter(({ addresses }) => given.includes(addresses.port));
  expect(atGiven.map(({ name, addresses }) => [name, addresses.port])).toEqual([
    ['gateway', block],
  ]);
});
