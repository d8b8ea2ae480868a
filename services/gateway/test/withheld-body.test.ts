import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { testIdentity } from '@commonplace/testkit';
import { ask, callerOf, echoOf, problemOf, sendRaw } from './send-request.ts';
import { withhold } from './withheld.ts';
import {
  giveKey,
  giveRun,
  giveSession,
  join,
  newCompany,
  startWorld,
  type World,
} from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const json = { 'content-type': 'application/json' };
/** What is remembered of a credential is older than it may be after that. */
const revocationMs = 1_100;

/** A write of which all but the last byte is sent. */
const begin = (headers: Record<string, string>, path = `/api/things/${newId()}`) => {
  const put = withhold(world.port, path, {
    headers: { ...json, 'content-length': 10, ...headers },
    sent: '{"a":"bc"',
  });
  return { ...put, path };
};

/** The paths of things that reached the service, with or without a body. */
const reached = (path: string): boolean => world.knowledge.passedOn.includes(path);

/** Resolves when the gateway has judged who sends a request: it asked for the credential. */
const judged = async (isAsked: () => boolean): Promise<void> => {
  while (!isAsked()) {
    await sleep(10);
  }
};

const askedCount = (): number => world.knowledge.asked.length;

describe('a request whose last byte is withheld until its credential has ended', () => {
  const credentials = () => {
    const key = giveKey(world.knowledge);
    const run = giveRun(world.knowledge);
    const session = giveSession(world.knowledge, [newCompany()]);
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
      const before = askedCount();
      const put = begin(headers);
      await judged(() => askedCount() > before);
      end();
      await sleep(revocationMs);
      expect((await put.finish('}')).status).toBe(401);
      expect(reached(put.path)).toBe(false);
    },
  );

  it('is judged by the role and the companies its operator has by then', async () => {
    const [left, kept] = [newCompany(), newCompany()];
    const { cookie, operatorId } = giveSession(world.knowledge, [left, kept]);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const before = askedCount();
    const refused = begin({ ...headers, 'x-company-id': left });
    const passed = begin(headers);
    await judged(() => askedCount() > before + 1);
    join(world.knowledge, operatorId, [kept]);
    await sleep(revocationMs);
    expect(problemOf(await refused.finish('}'))).toEqual([403, 'cross_company']);
    expect(reached(refused.path)).toBe(false);
    const answered = await passed.finish('}');
    expect(callerOf(answered)).toMatchObject({ companies: [{ companyId: kept }] });
  });

  it('is refused when the body is large and trickles, with a length or in chunks', async () => {
    const key = giveKey(world.knowledge);
    const piece = 'x'.repeat(300_000);
    const before = askedCount();
    const puts = [{ 'content-length': 600_002 }, { 'transfer-encoding': 'chunked' }].map(
      (framing) =>
        withhold(world.port, `/api/things/${newId()}`, {
          headers: { ...json, ...framing, authorization: key.bearer },
          sent: `"${piece}`,
        }),
    );
    await judged(() => askedCount() > before);
    key.revoke();
    await sleep(revocationMs);
    const answers = await Promise.all(puts.map((put) => put.finish(`${piece}"`)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe('a body that comes late', () => {
  it('reaches the service whole, with its length and an identity that was signed after it', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const put = begin({ authorization });
    await sleep(2_100);
    const endedAtMs = Date.now();
    const echo = echoOf(await put.finish('}'));
    expect([echo.body, echo.headers['content-length']]).toEqual(['{"a":"bc"}', '10']);
    const identity = testIdentity.verifyIdentity(echo.headers['x-gateway-identity'] ?? '');
    expect(identity?.expiresAtMs).toBeGreaterThan(endedAtMs + 8_000);
  });

  it('keeps its bytes when it is large, with a length or in chunks', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const body = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index));
    for (const framing of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
      const echo = echoOf(
        await withhold(world.port, `/api/things/${newId()}`, {
          headers: { ...json, ...framing, authorization },
          sent: body.slice(0, 100_000),
        }).finish(body.slice(100_000)),
      );
      expect(echo.body === body).toBe(true);
      expect(echo.headers['transfer-encoding']).toBeUndefined();
    }
  });

  it('is asked for with 100 (Continue) once its sender is known, and then goes on', async () => {
    const { bearer } = giveKey(world.knowledge);
    const head = (authorization: string) =>
      `PUT /api/things/${newId()} HTTP/1.1\r\nHost: 127.0.0.1:${world.port}\r\nAuthorization: ${authorization}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const received = await sendRaw(world.port, `${head(bearer)}{}`);
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    const refused = await sendRaw(world.port, head('Bearer nobody'));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is not waited for where no service would take it: too long, or of another type', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const slow = (headers: Record<string, string | number>) =>
      withhold(world.port, `/api/things/${newId()}?behave=slow`, {
        headers: { authorization, ...headers },
        sent: 'x',
      });
    const puts = [
      slow({ ...json, 'content-length': 10_000_000 }),
      slow({ 'content-type': 'text/plain', 'content-length': 10 }),
      slow({ ...json, 'transfer-encoding': 'chunked' }),
    ];
    puts[2]?.send('x'.repeat(1_100_000));
    const answers = await Promise.all(puts.map(({ answered }) => answered));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    puts.forEach(({ destroy }) => destroy());
  });

  it('costs no look-up when it was there with its head', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const put = () =>
      ask(world.port, `/api/things/${newId()}`, {
        method: 'PUT',
        headers: { ...json, authorization },
        body: '{}',
      });
    await put();
    const before = askedCount();
    await put();
    expect(askedCount()).toBe(before);
  });
});
