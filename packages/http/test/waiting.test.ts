import { once } from 'node:events';
import { request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { agentId, AppError, keyId, newId } from '@commonplace/contracts';
import type { AgentCaller } from '@commonplace/identity';
import { bodyAdmission } from '../src/pipeline/admit-bodies.ts';
import type { AppOptions } from '../src/index.ts';
import { companyA, exampleApp, headersOf, ownNote } from './example-app.ts';

const agent: AgentCaller = {
  kind: 'agent',
  agentId: agentId.parse(newId()),
  agentName: 'Ada',
  agentStatus: 'active',
  companyId: companyA,
  keyId: keyId.parse(newId()),
  runId: null,
  scopes: null,
  expiresAt: null,
};

let server: Server | undefined;
const settled = () => new Promise((resolve) => setImmediate(resolve));

const stop = (): void => {
  server?.close();
  server?.closeAllConnections();
};
afterEach(stop);

/** Sends the head of a write whose identity was signed just now; returns how to complete it. */
const begin = async (options: Partial<AppOptions>) => {
  stop();
  server = exampleApp(options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const body = '{"text":"hi"}';
  const req = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'PUT',
    path: `/api/examples/${ownNote}`,
    headers: {
      ...headersOf(agent),
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const responded = once(req, 'response').then(([res]) => (res as IncomingMessage).statusCode);
  const arrived = once(server, 'request');
  req.flushHeaders();
  await arrived;
  return {
    finish: async () => {
      req.end(body);
      return responded;
    },
  };
};

describe('a request that waited until its identity had ended', () => {
  it('is carried out when its caller still may, and never 401 by itself', async () => {
    const lookups: unknown[] = [];
    let ageMs = 0;
    const { finish } = await begin({
      nowMs: () => Date.now() + ageMs,
      recheckCaller: async (caller, companyId) => {
        lookups.push([caller.kind, companyId]);
        return caller;
      },
    });
    ageMs = 15_000;
    expect(await finish()).toBe(200);
    expect(lookups).toEqual([['agent', companyA]]);
  });

  it('also when it was not looked at before: it waited in the process', async () => {
    const lookups: unknown[] = [];
    const { finish } = await begin({
      nowMs: () => Date.now() + 15_000,
      recheckCaller: async (caller) => {
        lookups.push(caller.kind);
        return caller;
      },
    });
    expect(await finish()).toBe(200);
    expect(lookups).toEqual(['agent']);
  });

  it('is checked with the current state of its caller', async () => {
    let ageMs = 0;
    const nowMs = () => Date.now() + ageMs;
    const revoked = await begin({
      nowMs,
      recheckCaller: () => Promise.reject(new AppError('invalid_token')),
    });
    ageMs = 15_000;
    expect(await revoked.finish()).toBe(401);
    ageMs = 0;
    const paused = await begin({
      nowMs,
      recheckCaller: async (caller) => ({ ...(caller as AgentCaller), agentStatus: 'paused' }),
    });
    ageMs = 15_000;
    expect(await paused.finish()).toBe(409);
    ageMs = 0;
    const narrowed = await begin({
      nowMs,
      recheckCaller: async (caller) => ({ ...(caller as AgentCaller), scopes: ['notes:read'] }),
    });
    ageMs = 15_000;
    expect(await narrowed.finish()).toBe(403);
  });

  it('is busy without a lookup of callers, and rejected as a replay', async () => {
    let ageMs = 0;
    const nowMs = () => Date.now() + ageMs;
    const { finish } = await begin({ nowMs });
    ageMs = 15_000;
    expect(await finish()).toBe(503);
    const kept = await begin({ nowMs: () => Date.now() + 60_000 });
    // It looks like one of a sender whose clock is behind.
    expect(await kept.finish()).toBe(503);
  });
});

describe('large bodies', () => {
  const kib = 1024;
  const admission = (waitMaxMs = 60_000) => bodyAdmission({ bytesMax: 1_000 * kib, waitMaxMs });

  it('wait for room before they are read, in order, and short ones do not', async () => {
    const admit = admission();
    const order: string[] = [];
    const release = await admit('a', 900 * kib);
    const second = admit('b', 800 * kib).then((done) => {
      order.push('second');
      return done;
    });
    const third = admit('c', 700 * kib).then(() => order.push('third'));
    await admit('b', 64 * kib);
    expect(order).toEqual([]);
    release();
    (await second)();
    await third;
    expect(order).toEqual(['second', 'third']);
  });

  it('of one company leave room for those of another, and yet one of any length is taken', async () => {
    const admit = admission();
    const whole = await admit('a', 5_000 * kib);
    whole();
    const first = await admit('a', 400 * kib);
    let isIn = false;
    const second = admit('a', 400 * kib).then(() => (isIn = true));
    await admit('b', 400 * kib);
    expect(isIn).toBe(false);
    first();
    await second;
  });

  it('of one company never overtake the large one of another for ever', async () => {
    const admit = admission();
    const small = [await admit('a', 200 * kib), await admit('a', 200 * kib)];
    const order: string[] = [];
    const flood = async () => {
      small.push(await admit('a', 200 * kib));
      order.push('small');
    };
    const waiting = [flood(), flood()];
    const large = admit('b', 900 * kib).then((done) => {
      order.push('large');
      return done;
    });
    // Each body that ends is followed by another of the same company.
    waiting.push(flood());
    small[0]?.();
    await settled();
    waiting.push(flood());
    small[1]?.();
    await settled();
    expect(order).toEqual(['large']);
    (await large)();
    await settled();
    expect(order).toEqual(['large', 'small', 'small']);
    small.slice(2).forEach((release) => release());
    await Promise.all(waiting);
  });

  it('that a company may not have yet let those of others pass', async () => {
    const admit = admission();
    const first = await admit('a', 400 * kib);
    const second = admit('a', 400 * kib);
    expect(await admit('b', 400 * kib)).toBeInstanceOf(Function);
    first();
    expect(await second).toBeInstanceOf(Function);
  });

  it('are rejected with 503, which has Retry-After, when they are not admitted in time', async () => {
    const admit = admission(1);
    await admit('a', 900 * kib);
    await expect(admit('b', 900 * kib)).rejects.toMatchObject({
      code: 'busy',
      status: 503,
    });
  });
});
