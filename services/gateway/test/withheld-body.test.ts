import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { testIdentity, until } from '@commonplace/testkit';
import { sendRequest, callerOf, echoOf, problemOf, sendRaw } from './send-request.ts';
import { withhold } from './withhold-body.ts';
import {
  addKey,
  addRun,
  addSession,
  setMemberships,
  newCompany,
  startGateway,
  type TestGateway,
} from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const json = { 'content-type': 'application/json' };
/** Longer than a cached verification is used. */
const revocationMs = 1_100;

/** Sends all but the last byte of a write. */
const begin = (headers: Record<string, string>, path = `/api/things/${newId()}`) => {
  const put = withhold(gateway.port, path, {
    headers: { ...json, 'content-length': 10, ...headers },
    sent: '{"a":"bc"',
  });
  return { ...put, path };
};

/** Whether a request reached the service, with or without a body. */
const wasForwarded = (path: string): boolean => gateway.data.forwardedTargets.includes(path);

/** The gateway authenticates a request by a lookup. */
const lookupCount = (): number => gateway.data.lookups.length;

describe('a request whose last byte is withheld until its credential has ended', () => {
  const credentials = () => {
    const key = addKey(gateway.data);
    const run = addRun(gateway.data);
    const session = addSession(gateway.data, [newCompany()]);
    return {
      'a key': { headers: { authorization: key.bearer }, end: key.revoke },
      'the token of a run': { headers: { authorization: run.bearer }, end: run.end },
      'a session': {
        headers: { cookie: session.cookie, 'sec-fetch-site': 'same-origin' },
        end: session.end,
      },
    };
  };

  it.each(['a key', 'the token of a run', 'a session'] as const)(
    'is 401 and reaches no service: %s',
    async (kind) => {
      const { headers, end } = credentials()[kind];
      const before = lookupCount();
      const put = begin(headers);
      await until(() => lookupCount() > before);
      end();
      await sleep(revocationMs);
      expect((await put.finish('}')).status).toBe(401);
      expect(wasForwarded(put.path)).toBe(false);
    },
  );

  it('is authorized by the memberships that its operator has at the end', async () => {
    const [left, kept] = [newCompany(), newCompany()];
    const { cookie, operatorId } = addSession(gateway.data, [left, kept]);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const before = lookupCount();
    const refused = begin({ ...headers, 'x-company-id': left });
    const passed = begin(headers);
    await until(() => lookupCount() > before + 1);
    setMemberships(gateway.data, operatorId, [kept]);
    await sleep(revocationMs);
    expect(problemOf(await refused.finish('}'))).toEqual([403, 'cross_company']);
    expect(wasForwarded(refused.path)).toBe(false);
    const response = await passed.finish('}');
    expect(callerOf(response)).toMatchObject({ companies: [{ companyId: kept }] });
  });

  it('is 401 when the body is large and slow, with a length or chunked', async () => {
    const key = addKey(gateway.data);
    const piece = 'x'.repeat(300_000);
    const before = lookupCount();
    const puts = [{ 'content-length': 600_002 }, { 'transfer-encoding': 'chunked' }].map(
      (framing) =>
        withhold(gateway.port, `/api/things/${newId()}`, {
          headers: { ...json, ...framing, authorization: key.bearer },
          sent: `"${piece}`,
        }),
    );
    await until(() => lookupCount() > before);
    key.revoke();
    await sleep(revocationMs);
    const responses = await Promise.all(puts.map((put) => put.finish(`${piece}"`)));
    expect(responses.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe('a late body', () => {
  it('reaches the service complete, with its length and an identity signed after it arrived', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const put = begin({ authorization });
    await sleep(2_100);
    const endedAtMs = Date.now();
    const echo = echoOf(await put.finish('}'));
    expect([echo.body, echo.headers['content-length']]).toEqual(['{"a":"bc"}', '10']);
    const identity = testIdentity.verifyIdentity(echo.headers['x-gateway-identity'] ?? '');
    expect(identity?.expiresAtMs).toBeGreaterThan(endedAtMs + 8_000);
  });

  it('keeps its bytes when it is large, with a length or chunked', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const body = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index));
    for (const framing of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
      const echo = echoOf(
        await withhold(gateway.port, `/api/things/${newId()}`, {
          headers: { ...json, ...framing, authorization },
          sent: body.slice(0, 100_000),
        }).finish(body.slice(100_000)),
      );
      expect(echo.body === body).toBe(true);
      expect(echo.headers['transfer-encoding']).toBeUndefined();
    }
  });

  it('is requested with 100 (Continue) after authorization', async () => {
    const { bearer } = addKey(gateway.data);
    const head = (authorization: string) =>
      `PUT /api/things/${newId()} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: ${authorization}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const received = await sendRaw(gateway.port, `${head(bearer)}{}`);
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    const refused = await sendRaw(gateway.port, head('Bearer nobody'));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is not awaited when the service would reject it: too long, or of another type', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const slow = (headers: Record<string, string | number>) =>
      withhold(gateway.port, `/api/things/${newId()}?behave=slow`, {
        headers: { authorization, ...headers },
        sent: 'x',
      });
    const puts = [
      slow({ ...json, 'content-length': 10_000_000 }),
      slow({ 'content-type': 'text/plain', 'content-length': 10 }),
      slow({ ...json, 'transfer-encoding': 'chunked' }),
    ];
    puts[2]?.send('x'.repeat(1_100_000));
    const responses = await Promise.all(puts.map(({ response }) => response));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    puts.forEach(({ destroy }) => destroy());
  });

  it('needs no second lookup when it arrives with its headers', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const put = () =>
      sendRequest(gateway.port, `/api/things/${newId()}`, {
        method: 'PUT',
        headers: { ...json, authorization },
        body: '{}',
      });
    await put();
    const before = lookupCount();
    await put();
    expect(lookupCount()).toBe(before);
  });
});
