import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { waitUntilReady } from './wait-until-ready.ts';

it('waits on when the clock of the machine is set, as it is after the boot of one without a battery', async () => {
  const now = jest.spyOn(Date, 'now');
  let requests = 0;
  const server = createServer((_req, res) => {
    requests += 1;
    now.mockReturnValue(requests * 1_000_000_000_000);
    res.writeHead(requests < 3 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    await waitUntilReady(`http://127.0.0.1:${port}`);
    expect(requests).toBe(3);
  } finally {
    now.mockRestore();
    server.close();
  }
});
