import type { SessionResult } from './fake-services.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@commonplace/contracts';
import { sendRequest } from './send-request.ts';
import {
  addKey,
  addRun,
  addSession,
  newCompany,
  startGateway,
  type TestGateway,
} from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const statusFor = async (headers: Record<string, string>): Promise<number> =>
  (await sendRequest(gateway.port, '/api/things', { headers })).status;

describe('a credential revoked on another replica', () => {
  it('is 401 within a second, even in constant use', async () => {
    const key = addKey(gateway.data);
    const run = addRun(gateway.data);
    const session = addSession(gateway.data, [newCompany()]);
    const all = [
      { authorization: key.bearer },
      { authorization: run.bearer },
      { cookie: session.cookie },
    ];
    expect(await Promise.all(all.map(statusFor))).toEqual([200, 200, 200]);
    key.revoke();
    run.end();
    session.end();
    const revokedAtMs = performance.now();
    while (performance.now() - revokedAtMs < 1_000) {
      await Promise.all(all.map(statusFor));
      await sleep(20);
    }
    expect(await Promise.all(all.map(statusFor))).toEqual([401, 401, 401]);
  });

  it('is looked up at most twice a second, however often it is used', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    await statusFor({ authorization });
    const before = gateway.data.lookups.length;
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < 1_000) {
      await statusFor({ authorization });
    }
    // The last call may have taken long on a busy machine.
    const seconds = Math.ceil((performance.now() - startedAtMs) / 1_000);
    expect(gateway.data.lookups.length - before).toBeLessThanOrEqual(2 * seconds);
  });
});

describe('a credential revoked through this gateway', () => {
  it('is 401 at once', async () => {
    const key = addKey(gateway.data);
    const { cookie } = addSession(gateway.data, [key.companyId]);
    expect(await statusFor({ authorization: key.bearer })).toBe(200);
    key.revoke();
    await sendRequest(gateway.port, `/api/agents/${key.agentId.toUpperCase()}/keys/${key.keyId}`, {
      method: 'DELETE',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(await statusFor({ authorization: key.bearer })).toBe(401);
  });

  it('leaves other credentials in the cache', async () => {
    const [one, other] = [addKey(gateway.data), addKey(gateway.data)];
    const { cookie } = addSession(gateway.data, [one.companyId]);
    await statusFor({ authorization: other.bearer });
    await sendRequest(gateway.port, `/api/agents/${one.agentId}/keys/${one.keyId}`, {
      method: 'DELETE',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    const before = gateway.data.lookups.filter((name) => name === 'verifyKey').length;
    expect(await statusFor({ authorization: other.bearer })).toBe(200);
    expect(gateway.data.lookups.filter((name) => name === 'verifyKey')).toHaveLength(before);
  });

  it('is looked up again after a change of its run, but not after a report of usage', async () => {
    // The clock is stopped, so no entry ages.
    const own = await startGateway({}, { clock: { nowMs: Date.now, monotonicMs: () => 0 } });
    const run = addRun(own.data);
    const headers = { authorization: run.bearer, 'content-type': 'application/json' };
    const lookupsAfter = async (path: string, body?: string) => {
      await sendRequest(own.port, `/api/runs/${run.runId}/${path}`, {
        method: 'POST',
        headers,
        ...(body === undefined ? {} : { body }),
      });
      await sendRequest(own.port, '/api/things', { headers });
      return own.data.lookups.length;
    };
    expect(await lookupsAfter('usage', '{"costMicros":5}')).toBe(1);
    expect(await lookupsAfter('renew')).toBe(1);
    expect(await lookupsAfter('renew', '{}')).toBe(1);
    expect(await lookupsAfter('renew', '{"scopes":["notes:read"]}')).toBe(2);
    await own.stop();
  });

  it('is 401 after its operator logged out', async () => {
    const session = addSession(gateway.data, [newCompany()]);
    expect(await statusFor({ cookie: session.cookie })).toBe(200);
    session.end();
    await sendRequest(gateway.port, '/api/auth/logout', {
      method: 'POST',
      headers: { cookie: session.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(await statusFor({ cookie: session.cookie })).toBe(401);
  });
});

describe('an outage of the agents service', () => {
  it('is bridged by the cache for less than a second, and then is 503', async () => {
    let isBridged = false;
    while (!isBridged) {
      const own = await startGateway();
      const { bearer: authorization } = addKey(own.data);
      const get = async () =>
        (await sendRequest(own.port, `/api/things/${newId()}`, { headers: { authorization } }))
          .status;
      const knownAtMs = performance.now();
      expect(await get()).toBe(200);
      await own.services.agents.stop();
      const status = await get();
      // On a busy machine it may have been too late for the cache: then again.
      isBridged = status === 200;
      expect(isBridged || performance.now() - knownAtMs > 850).toBe(true);
      await sleep(950);
      expect(await get()).toBe(503);
      await own.stop();
    }
  });
});

describe('an operator who must set up a second factor', () => {
  it('is refused within a second everywhere else, and let in again afterwards', async () => {
    const { cookie, sessionId } = addSession(gateway.data, [newCompany()]);
    expect(await statusFor({ cookie })).toBe(200);
    const [digest, session] = [...gateway.data.sessions].find(
      ([, one]) => one.sessionId === sessionId,
    ) as [string, SessionResult];
    gateway.data.sessions.set(digest, { ...session, mustEnrol: true });
    await sleep(1_000);
    expect(await statusFor({ cookie })).toBe(403);
    gateway.data.sessions.set(digest, session);
    await sleep(1_000);
    expect(await statusFor({ cookie })).toBe(200);
  });
});
