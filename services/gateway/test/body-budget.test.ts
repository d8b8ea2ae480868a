import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { newId } from '@commonplace/contracts';
import { sendRequest, echoOf, problemOf } from './send-request.ts';
import { withhold, type WithheldRequest } from './withhold-body.ts';
import { systemClock } from '../src/deps.ts';
import { createCounters } from '../src/observability/counters.ts';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

const json = { 'content-type': 'application/json' };
const mib = 1024 * 1024;

/** Its time stands still, so no body is slow. */
const still = { ...systemClock, monotonicMs: () => 0 };

let gateway: TestGateway;
let open: WithheldRequest[] = [];
afterEach(async () => {
  open.forEach(({ destroy }) => destroy());
  open = [];
  await gateway.stop();
});

/** Sends all but the last byte of a body of `mibSent` MiB and one byte. */
const withholdMib = (authorization: string, mibSent: number): WithheldRequest => {
  const upload = withhold(gateway.port, '/api/uploads', {
    method: 'POST',
    headers: { ...json, authorization, 'content-length': mibSent * mib + 1 },
    sent: Buffer.alloc(mibSent * mib, ' '),
  });
  open.push(upload);
  return upload;
};

describe('incomplete bodies', () => {
  it('of one credential get 429 beyond its limit, and other credentials do not', async () => {
    const counters = createCounters();
    gateway = await startGateway({ BODY_MIB_PER_CREDENTIAL: '32' }, { counters, clock: still });
    const [greedy, other] = [addKey(gateway.data).bearer, addKey(gateway.data).bearer];
    const first = withholdMib(greedy, 20);
    await until(() => counters.bodyBytes >= 19 * mib);
    const refused = await withholdMib(greedy, 20).response;
    expect(problemOf(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await withholdMib(other, 20).finish('1')).status).toBe(200);
    expect((await first.finish('1')).status).toBe(200);
    await until(() => counters.bodyBytes === 0);
    expect((await withholdMib(greedy, 20).finish('1')).status).toBe(200);
  });

  it('of one address get 429 beyond its limit, whatever the credential', async () => {
    const counters = createCounters();
    gateway = await startGateway({ BODY_MIB_PER_ADDRESS: '32' }, { counters, clock: still });
    withholdMib(addKey(gateway.data).bearer, 20);
    await until(() => counters.bodyBytes >= 19 * mib);
    const refused = await withholdMib(addKey(gateway.data).bearer, 20).response;
    expect(problemOf(refused)).toEqual([429, 'rate_limited']);
  });

  it('get 503 beyond the total limit, short ones excepted, until others release their bytes', async () => {
    const counters = createCounters();
    const limits = { BODY_MIB_MAX: '32', BODY_MIB_PER_ADDRESS: '64' };
    gateway = await startGateway(limits, { counters, clock: still });
    const first = withholdMib(addKey(gateway.data).bearer, 20);
    await until(() => counters.bodyBytes >= 19 * mib);
    const { bearer: authorization } = addKey(gateway.data);
    const refused = await withholdMib(authorization, 20).response;
    expect(problemOf(refused)).toEqual([503, 'busy']);
    expect(refused.headers['retry-after']).toBe('1');
    const short = withhold(gateway.port, `/api/things/${newId()}`, {
      headers: { ...json, authorization, 'content-length': 10_000 },
      sent: Buffer.alloc(9_999, ' '),
    });
    expect((await short.finish('1')).status).toBe(200);
    first.destroy();
    await until(() => counters.bodyBytes === 0);
    expect((await withholdMib(authorization, 20).finish('1')).status).toBe(200);
    expect(counters.bodiesRefused).toBe(1);
  });

  it('that are withheld lose their place to others, and get 503', async () => {
    const counters = createCounters();
    let nowMs = 0;
    const clock = { ...systemClock, monotonicMs: () => nowMs };
    const limits = { BODY_MIB_MAX: '64', BODY_MIB_PER_ADDRESS: '96' };
    gateway = await startGateway(limits, { counters, clock });
    const withheld = [1, 2].map(() => withholdMib(addKey(gateway.data).bearer, 30));
    await until(() => counters.bodyBytes >= 59 * mib);
    // Their last bytes may arrive after this: 30 MiB in a minute are slow all the same.
    nowMs = 60_000;
    const { bearer: authorization } = addKey(gateway.data);
    expect((await withholdMib(authorization, 30).finish('1')).status).toBe(200);
    const lost = await Promise.race(withheld.map(({ response }) => response));
    expect([problemOf(lost), lost.headers['retry-after']]).toEqual([[503, 'busy'], '1']);
  });

  it('are buffered up to 16 KiB on public routes; longer ones are for the service to reject', async () => {
    const counters = createCounters();
    gateway = await startGateway({}, { counters });
    const logIn = (bytes: number) => {
      const sent = withhold(gateway.port, '/api/auth/login', {
        method: 'POST',
        headers: { ...json, 'content-length': bytes },
        sent: Buffer.alloc(bytes - 1, ' '),
      });
      open.push(sent);
      return sent;
    };
    const short = logIn(16 * 1024);
    const long = logIn(16 * 1024 + 1);
    await until(() => gateway.data.forwardedTargets.length > 0);
    expect(echoOf(await long.finish('1')).headers['content-length']).toBe('16385');
    expect(gateway.data.forwardedTargets).toHaveLength(1);
    expect((await short.finish('1')).status).toBe(200);
    expect(counters.bodyBytes).toBe(0);
  });

  it('are charged by the bytes that arrived, not by Content-Length or number of chunks', async () => {
    const counters = createCounters();
    gateway = await startGateway({}, { counters });
    const { bearer: authorization } = addKey(gateway.data);
    const announced = withhold(gateway.port, '/api/uploads', {
      method: 'POST',
      headers: { ...json, authorization, 'content-length': 30 * mib },
      sent: ' ',
    });
    open.push(announced);
    const body = `"${'x'.repeat(20_000)}"`;
    const tiny = withhold(gateway.port, '/api/uploads', {
      method: 'POST',
      headers: { ...json, authorization, 'transfer-encoding': 'chunked' },
      sent: '',
    });
    open.push(tiny);
    for (const letter of body) {
      tiny.send(letter);
    }
    expect(echoOf(await tiny.finish()).body === body).toBe(true);
    expect(counters.bodyBytes).toBe(0);
  });
});

it('a body that arrives with its headers is not charged', async () => {
  const counters = createCounters();
  gateway = await startGateway({}, { counters });
  const { bearer: authorization } = addKey(gateway.data);
  const sent = { method: 'PUT', headers: { ...json, authorization }, body: '{}' };
  expect((await sendRequest(gateway.port, `/api/things/${newId()}`, sent)).status).toBe(200);
  expect(counters.bodyBytes).toBe(0);
});
