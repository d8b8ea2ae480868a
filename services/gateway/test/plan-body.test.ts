import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { planBody } from '../src/proxy/body/plan-body.ts';
import { sendRequest } from './send-request.ts';
import { testContracts } from './contracts.ts';

it('a small body that arrives with its headers is streamed and not buffered', async () => {
  const contract = testContracts.find(({ operationId }) => operationId === 'putThing');
  if (!contract) {
    throw new Error('No such route');
  }
  const server = createServer((req, res) => {
    void Promise.resolve()
      .then(() => planBody(req, contract))
      .then((plan) => res.end(plan));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{}', `"${'x'.repeat(10_000)}"`]) {
    expect((await sendRequest(port, '/', { method: 'PUT', headers, body })).text).toBe('stream');
  }
  server.close();
  server.closeAllConnections();
});
