import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from './send-request.ts';
import { bytesOf, floodBytes, flooded } from './echo.ts';
import { giveKey, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const open = async (behave: string, method = 'GET'): Promise<IncomingMessage> => {
  const sent = request({
    port: world.port,
    host: '127.0.0.1',
    method,
    path: `/api/things?behave=${behave}`,
    headers: { authorization: giveKey(world.knowledge).bearer },
  });
  sent.end();
  const [answered] = (await once(sent, 'response')) as [IncomingMessage];
  return answered;
};

const bodyOf = async (answered: IncomingMessage): Promise<Buffer> =>
  Buffer.concat((await answered.toArray()) as Buffer[]);

describe('an answer', () => {
  it('arrives byte for byte: in one piece, in one too large to be copied, and in many', async () => {
    expect(await bodyOf(await open('bytes'))).toEqual(bytesOf(10));
    expect((await bodyOf(await open('many-bytes'))).equals(bytesOf(2_000))).toBe(true);
    expect(await bodyOf(await open('pieces'))).toEqual(bytesOf(10));
  });

  it('without a body ends with its headers', async () => {
    for (const [behave, method, status] of [
      ['no-content', 'GET', 204],
      ['not-modified', 'GET', 304],
      ['bytes', 'HEAD', 200],
    ] as const) {
      const answered = await open(behave, method);
      expect([answered.statusCode, await bodyOf(answered)]).toEqual([status, Buffer.alloc(0)]);
      expect(answered.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(answered.headers['transfer-encoding']).toBe(undefined);
    }
  });

  it('is taken from the service no faster than the client takes it', async () => {
    flooded.isOver = false;
    const answered = await open('flood');
    answered.pause();
    await sleep(1_000);
    expect(flooded.isOver).toBe(false);
    let count = 0;
    for await (const chunk of answered) {
      count += (chunk as Buffer).length;
    }
    expect([flooded.isOver, count]).toEqual([true, floodBytes]);
  });

  it('that cannot be written is cut, and takes nobody else with it', async () => {
    await expect(open('unwritable')).rejects.toThrow('socket hang up');
    expect((await open('bytes')).statusCode).toBe(200);
  });

  it('to a client of HTTP/1.0 has no coding, and ends with the connection', async () => {
    const { bearer } = giveKey(world.knowledge);
    const heard = await sendRaw(
      world.port,
      `GET /api/things?behave=pieces HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\nAuthorization: ${bearer}\r\n\r\n`,
    );
    const [head = '', body] = heard.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain('\r\nconnection: close');
    expect(head.toLowerCase()).not.toContain('transfer-encoding');
    expect(body).toBe(bytesOf(10).toString());
  });
});
