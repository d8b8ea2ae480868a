import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { routeContract } from '@commonplace/contracts/core';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { bodyReader } from './read-body.ts';

const contract = routeContract({
  operationId: 'rotate',
  service: 'notes',
  method: 'post',
  path: '/api/examples',
  tag: 'Examples',
  summary: 'Takes an empty body',
  body: z.strictObject({ overlapSeconds: z.int().default(0) }),
  responses: { 204: { description: 'Done' } },
  errors: [],
  access: { kind: 'public', reason: 'a test' },
});

it('a body whose sender has gone before it was read is an error, and not an empty one', async () => {
  const { promise: outcome, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((req, res) => {
    req.once('close', () => {
      const read = bodyReader(contract, async () => () => undefined);
      read(req as Request, res as Response, null).then(resolve, resolve);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"overlapSeconds":9}',
  );
  await once(server, 'request');
  socket.destroy();
  expect(await outcome).toMatchObject({ code: 'malformed_json' });
  server.close();
});
