import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { checkDatabase } from './check-database.ts';

/** AuthenticationOk and ReadyForQuery. */
const letIn = Buffer.from('5200000008000000005a0000000549', 'hex');

it('reports a database that lets the doctor in and then responds no more', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => socket.write(letIn));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const adminUrl = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    const findings = await checkDatabase({ adminUrl, dataDir: null, env: {} }, 1);
    expect(findings.map(({ check, state }) => [check, state])).toEqual([['database', 'failure']]);
  } finally {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  }
});
