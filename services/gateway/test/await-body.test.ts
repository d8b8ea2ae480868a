import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { awaitBody } from '../src/proxy/body/await-body.ts';
import { sendRequest } from './send-request.ts';
import { testContracts } from './contracts.ts';

it('awaitBody does not buffer a small body that arrives with its headers', async () => {
  const contract = testContracts.find(({ operationId }) => operationId === 'putThing');
  if (!contract) {
    throw new Error('No such route');
  }
  let opened = 0;
  const openAccount = () => {
    opened += 1;
    const ignore = (): void => undefined;
    return { arrived: ignore, charge: ignore, complete: ignore, release: ignore };
  };
  const server = createServer((req, res) => {
    void Promise.resolve()
      .then(() => awaitBody({ req, res, contract, openAccount }))
      .then((body) => res.end(body === null ? 'not buffered' : 'buffered'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{}', `"${'x'.repeat(10_000)}"`]) {
    expect((await sendRequest(port, '/', { method: 'PUT', headers, body })).text).toBe(
      'not buffered',
    );
  }
  expect(opened).toBe(0);
  server.close();
  server.closeAllConnections();
});
