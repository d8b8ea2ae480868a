import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from './send-request.ts';
import { bytesOf, floodBytes, floodState } from './echo.ts';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const open = async (behave: string, method = 'GET'): Promise<IncomingMessage> => {
  const sent = request({
    port: gateway.port,
    host: '127.0.0.1',
    method,
    path: `/api/things?behave=${behave}`,
    headers: { authorization: addKey(gateway.data).bearer },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
};

const bodyOf = async (response: IncomingMessage): Promise<Buffer> =>
  Buffer.concat((await response.toArray()) as Buffer[]);

describe('a proxied response', () => {
  it('arrives byte for byte: in one chunk, in one too large to be copied, and in many', async () => {
    expect(await bodyOf(await open('bytes'))).toEqual(bytesOf(10));
    expect((await bodyOf(await open('many-bytes'))).equals(bytesOf(2_000))).toBe(true);
    expect(await bodyOf(await open('pieces'))).toEqual(bytesOf(10));
  });

  it('without a body ends after its headers', async () => {
    for (const [behave, method, status] of [
      ['no-content', 'GET', 204],
      ['not-modified', 'GET', 304],
      ['bytes', 'HEAD', 200],
    ] as const) {
      const response = await open(behave, method);
      expect([response.statusCode, await bodyOf(response)]).toEqual([status, Buffer.alloc(0)]);
      expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(response.headers['transfer-encoding']).toBe(undefined);
    }
  });

  it('is read from the service no faster than the client reads it', async () => {
    floodState.isOver = false;
    const response = await open('flood');
    response.pause();
    await sleep(1_000);
    expect(floodState.isOver).toBe(false);
    let count = 0;
    for await (const chunk of response) {
      count += (chunk as Buffer).length;
    }
    expect([floodState.isOver, count]).toEqual([true, floodBytes]);
  });

  it('that cannot be written is cut, and others are not', async () => {
    await expect(open('unwritable')).rejects.toThrow('socket hang up');
    expect((await open('bytes')).statusCode).toBe(200);
  });

  it('to a client of HTTP/1.0 has no transfer coding and ends with the connection', async () => {
    const { bearer } = addKey(gateway.data);
    const received = await sendRaw(
      gateway.port,
      `GET /api/things?behave=pieces HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\nAuthorization: ${bearer}\r\n\r\n`,
    );
    const [head = '', body] = received.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain('\r\nconnection: close');
    expect(head.toLowerCase()).not.toContain('transfer-encoding');
    expect(body).toBe(bytesOf(10).toString());
  });
});
