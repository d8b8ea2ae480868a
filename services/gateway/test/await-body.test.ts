import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { awaitBody } from '../src/proxy/body/await-body.ts';
import { ask } from './send-request.ts';
import { testContracts } from './contracts.ts';

it('a small body that comes with its head is not waited for, however soon somebody looks', async () => {
  const contract = testContracts.find(({ operationId }) => operationId === 'putThing');
  if (!contract) {
    throw new Error('There is no such route');
  }
  let opened = 0;
  const openAccount = () => {
    opened += 1;
    return { charge: () => undefined, release: () => undefined };
  };
  const server = createServer((req, res) => {
    void Promise.resolve()
      .then(() => awaitBody({ req, res, contract, openAccount }))
      .then((body) => res.end(body === null ? 'here' : 'held'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{}', `"${'x'.repeat(10_000)}"`]) {
    expect((await ask(port, '/', { method: 'PUT', headers, body })).text).toBe('here');
  }
  expect(opened).toBe(0);
  server.close();
  server.closeAllConnections();
});
