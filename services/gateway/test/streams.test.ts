import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, problemOf } from './ask.ts';
import { giveKey, giveSession, join, newCompany, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Opens a stream; `ended` says after how many milliseconds it ended, and how. */
const openStream = (headers: Record<string, string>, { port }: World = world) =>
  new Promise<{ ended: Promise<{ afterMs: number; isWhole: boolean }> }>((resolve, reject) => {
    const openedAtMs = performance.now();
    const path = '/api/things/feed?behave=drip';
    const sent = get({ port, path, headers, host: '127.0.0.1', agent: false }, (res) => {
      const ended = new Promise<{ afterMs: number; isWhole: boolean }>((done) => {
        res.on('error', () => undefined);
        res.on('close', () =>
          done({ afterMs: performance.now() - openedAtMs, isWhole: res.complete }),
        );
      });
      res.resume();
      resolve({ ended });
    });
    sent.on('error', reject);
  });

describe('a stream', () => {
  it('outlives every deadline, and ends whole within seconds of its credential', async () => {
    const key = giveKey(world.knowledge);
    const { ended } = await openStream({ authorization: key.bearer });
    const early = await Promise.race([ended, new Promise((go) => setTimeout(go, 1_500, 'open'))]);
    expect(early).toBe('open');
    key.revoke();
    const { afterMs, isWhole } = await ended;
    expect(afterMs).toBeLessThan(4_000);
    expect(isWhole).toBe(true);
  });

  it('ends when its operator may see another company than before', async () => {
    const session = giveSession(world.knowledge, [newCompany()]);
    const { ended } = await openStream({ cookie: session.cookie });
    join(world.knowledge, session.operatorId, []);
    expect((await ended).isWhole).toBe(true);
  });

  it('ends whole when the gateway shuts down', async () => {
    const other = await startWorld();
    const { bearer: authorization } = giveKey(other.knowledge);
    const { ended } = await openStream({ authorization }, other);
    const stopped = other.shutDown();
    expect((await ended).isWhole).toBe(true);
    await stopped;
    await other.stop();
  });

  it('that has said nothing yet is answered when its credential dies', async () => {
    const key = giveKey(world.knowledge);
    const answered = ask(world.port, '/api/things/feed?behave=hang', {
      headers: { authorization: key.bearer },
    });
    setTimeout(() => key.revoke(), 100);
    expect(problemOf(await answered)).toEqual([401, 'invalid_token']);
  });

  it('is closed at the service when its client goes away', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const closed = new Promise<void>((resolve) => {
      world.services.notes.server.once('request', (_req, res) =>
        res.once('close', () => resolve()),
      );
    });
    const path = '/api/things/feed?behave=drip';
    const sent = get({ port: world.port, path, headers: { authorization }, host: '127.0.0.1' });
    sent.on('error', () => undefined);
    sent.on('response', () => sent.destroy());
    await closed;
    expect((await ask(world.port, '/healthz')).status).toBe(200);
  });
});
