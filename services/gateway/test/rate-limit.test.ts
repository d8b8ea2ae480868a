import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeApiKey } from '@commonplace/identity';
import { until } from '@commonplace/testkit';
import { sendRequest, problemOf } from './send-request.ts';
import { addKey, addSession, startGateway, type TestGateway } from './start-gateway.ts';

/** A stopped clock, so that no bucket refills while a slow machine empties it. */
const clock = { nowMs: Date.now, monotonicMs: () => 0 };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_PER_SECOND: '5' }, { clock });
});
afterAll(() => gateway.stop());

const times = <Result>(count: number, act: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, act));

describe('the limit per credential', () => {
  it('allows a burst, then responds 429 with Retry-After', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const responses = await times(10, () =>
      sendRequest(gateway.port, '/api/things', { headers: { authorization } }),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"credential";q=5;w=1',
      ratelimit: '"credential";r=0;t=1',
    });
  });

  it('counts each message of a batch, and lets the longest through once before it is in debt', async () => {
    const send = (authorization: string, body: unknown) =>
      sendRequest(gateway.port, '/api/messages', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const message = { text: ' [ , ] { "\\' };
    const { bearer: few } = addKey(gateway.data);
    expect((await send(few, [message, [message, message]])).status).toBe(200);
    expect((await send(few, [message, message, message])).status).toBe(200);
    expect(problemOf(await send(few, message))).toEqual([429, 'rate_limited']);
    const { bearer: many } = addKey(gateway.data);
    expect(
      (
        await send(
          many,
          Array.from({ length: 32 }, () => message),
        )
      ).status,
    ).toBe(200);
    const refused = await send(many, message);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '6']);
    const { bearer: used } = addKey(gateway.data);
    await send(used, message);
    const batch = await send(
      used,
      Array.from({ length: 32 }, () => message),
    );
    expect(problemOf(batch)).toEqual([429, 'rate_limited']);
  });

  it('is separate for every credential', async () => {
    const [one, other] = [addKey(gateway.data), addKey(gateway.data)];
    await times(10, () =>
      sendRequest(gateway.port, '/api/things', { headers: { authorization: one.bearer } }),
    );
    const response = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization: other.bearer },
    });
    expect(response.status).toBe(200);
  });

  it('comes after the cross-site check and before the company selection', async () => {
    const { cookie } = addSession(gateway.data);
    await times(6, () => sendRequest(gateway.port, '/api/things', { headers: { cookie } }));
    const before = gateway.data.lookups.length;
    const limited = await sendRequest(gateway.port, '/api/things', {
      headers: { cookie, 'x-company-id': 'bad' },
    });
    expect(problemOf(limited)).toEqual([429, 'rate_limited']);
    expect(gateway.data.lookups).toHaveLength(before);
    const crossSite = await sendRequest(gateway.port, '/api/companies', {
      method: 'POST',
      headers: { cookie },
    });
    expect(problemOf(crossSite)[0]).toBe(403);
  });

  it('is off at 0', async () => {
    const open = await startGateway({ RATE_LIMIT_PER_SECOND: '0' });
    const { bearer: authorization } = addKey(open.data);
    const responses = await times(50, () =>
      sendRequest(open.port, '/api/things', { headers: { authorization } }),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(responses[0]?.headers).not.toHaveProperty('ratelimit');
    await open.stop();
  });
});

/** Empties the bucket of this address. */
const flood = async ({ port }: TestGateway): Promise<void> => {
  for (let round = 0; round < 25; round += 1) {
    await times(20, () =>
      sendRequest(port, '/api/things', { headers: { authorization: `Bearer ${makeApiKey()}` } }),
    );
  }
};

describe('a flood of forged keys from one address', () => {
  it('is 429 without a lookup once its bucket is empty, and does not affect verified callers', async () => {
    const flooded = await startGateway({}, { clock });
    const known = addKey(flooded.data);
    const get = (authorization: string) =>
      sendRequest(flooded.port, '/api/things', { headers: { authorization } });
    await get(known.bearer);
    const responses: number[] = [];
    for (let round = 0; round < 13; round += 1) {
      const batch = await times(60, () => get(`Bearer ${makeApiKey()}`));
      responses.push(...batch.map(({ status }) => status));
    }
    expect(responses.filter((status) => status === 401)).toHaveLength(500);
    expect(responses.filter((status) => status === 429)).toHaveLength(280);
    expect(flooded.data.keysLookedUp.size).toBe(501);
    expect((await get(known.bearer)).status).toBe(200);
    await flooded.stop();
  });

  it('gets its 429 responses delayed, and verified callers get theirs meanwhile', async () => {
    const flooded = await startGateway({}, { clock });
    const known = addKey(flooded.data);
    const get = (authorization: string) =>
      sendRequest(flooded.port, '/api/things', { headers: { authorization } });
    await get(known.bearer);
    await flood(flooded);
    const order: number[] = [];
    const record = async (response: ReturnType<typeof get>) => order.push((await response).status);
    const refused = record(get(`Bearer ${makeApiKey()}`));
    for (let count = 0; count < 3; count += 1) {
      await record(get(known.bearer));
    }
    await refused;
    expect(order).toEqual([200, 200, 200, 429]);
    await flooded.stop();
  });

  it('keeps no stream from that address open when its credential is revoked', async () => {
    const flooded = await startGateway({}, { clock });
    const key = addKey(flooded.data);
    const headers = {
      cookie: addSession(flooded.data, [key.companyId]).cookie,
      'sec-fetch-site': 'same-origin',
    };
    await sendRequest(flooded.port, '/api/things', { headers });
    const path = '/api/things/feed?behave=drip';
    const ended = sendRequest(flooded.port, path, { headers: { authorization: key.bearer } });
    await until(() => flooded.data.forwardedTargets.includes(path));
    await flood(flooded);
    key.revoke();
    const revokedAtMs = performance.now();
    await sendRequest(flooded.port, `/api/agents/${key.agentId}/keys/${key.keyId}`, {
      method: 'DELETE',
      headers,
    });
    expect((await ended).status).toBe(200);
    // Much less than after what a stream without a check ends anyway.
    expect(performance.now() - revokedAtMs).toBeLessThan(5_000);
    await flooded.stop();
  });
});
