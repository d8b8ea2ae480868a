import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi } from '../call-api.ts';
import { withholdMany } from '../withhold-many.ts';
import { makeCompanyKey, type CompanyKey } from '../world.ts';
import { clientsFrom, floodSeconds, type FloodWorld } from './flood-world.ts';
import { sendFromThread } from './send-from-thread.ts';

const mib = 1024 * 1024;
const pushMib = 30;
const withheldMib = 32;
/** Two of each of two companies: what one company may have, and together what the gateway buffers. */
const withheldPerCompany = 2;
const rounds = 3;
const junkClients = 8;
const junkBytes = 1_900_000;
const json = { 'content-type': 'application/json' };

/** A client waits as long as the response says: one second. */
const retryAfterMs = 1_000;
const attemptsMax = 20;

/** How long withheld bodies may delay others: until they count as slow, and one attempt more. */
const delayMsMax = 5_000;

/** Measures large pushes of a company beside junk bodies, and beside withheld bodies. */
export const measureBodyFloods = async (world: FloodWorld): Promise<void> => {
  const { api } = await world.signInAsBoard();
  const [one, other] = [await makeCompanyKey(api, 'Junk'), await makeCompanyKey(api, 'More junk')];
  const alone = await pushFor(world, floodSeconds);
  await besideJunk(world, { alone, loud: one });
  await besideWithheld(world, { alone, loud: [one, other] });
};

type Pushes = {
  readonly tookMs: readonly number[];
  /** How often a push was refused before it was accepted. */
  readonly refused: number;
};

type Body = Uint8Array<ArrayBuffer>;

/** A push of nothing but white space around an empty list of changes. */
const pushBody = (): Body => {
  const begin = '{"clientId":"large","mode":"background","changes":[]';
  return Buffer.from(`${begin}${' '.repeat(pushMib * mib)}}`);
};
const body = pushBody();

/** Pushes once, and again after refusals; returns how long that took, and the number of refusals. */
const pushOnce = async ({
  system,
  neighbour,
}: FloodWorld): Promise<{ ms: number; refused: number }> => {
  const headers = { ...bearer(neighbour.key), ...json };
  const api = createApi({ baseUrl: system.baseUrl, headers });
  const startedAtMs = performance.now();
  for (let refused = 0; refused < attemptsMax; refused += 1) {
    // The connection may be closed before all of a refused body is sent.
    const status = await api('POST', '/api/sync', { raw: body }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 202) {
      return { ms: performance.now() - startedAtMs, refused };
    }
    await sleep(retryAfterMs);
  }
  throw new Error(`A push was refused ${attemptsMax} times`);
};

const pushFor = async (world: FloodWorld, seconds: number): Promise<Pushes> => {
  const tookMs: number[] = [];
  let refused = 0;
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const push = await pushOnce(world);
    tookMs.push(push.ms);
    refused += push.refused;
  }
  return { tookMs, refused };
};

const medianOf = ({ tookMs }: Pushes): number =>
  tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0;
const longestOf = ({ tookMs }: Pushes): number => Math.max(...tookMs);

const besideJunk = async (
  world: FloodWorld,
  { alone, loud }: { readonly alone: Pushes; readonly loud: CompanyKey },
): Promise<void> => {
  const { report } = world;
  const junk = {
    method: 'POST',
    path: '/api/sync',
    headers: { ...bearer(loud.key), ...json },
    body: 'x'.repeat(junkBytes),
  };
  const [during, flooded] = await Promise.all([
    pushFor(world, floodSeconds),
    sendFromThread(clientsFrom(world, '127.0.0.4', junkClients), [junk]),
  ]);
  const what = `push of ${pushMib} MiB beside ${junkClients} clients with junk of 1.9 MB`;
  report.print('Junk bodies of 1.9 MB', flooded);
  report.add(
    { what: `${what}, p50`, unit: 'ms', alone: medianOf(alone), during: medianOf(during) },
    {
      what: `${what}, refused`,
      unit: 'responses',
      alone: alone.refused,
      during: during.refused,
      target: { of: 'value', atMost: 0 },
    },
  );
};

const besideWithheld = async (
  world: FloodWorld,
  { alone, loud }: { readonly alone: Pushes; readonly loud: readonly CompanyKey[] },
): Promise<void> => {
  const tookMs: number[] = [];
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const withheld = loud.map(({ key }, index) =>
      withholdMany({
        baseUrl: world.system.baseUrl,
        path: '/api/sync',
        headers: bearer(key),
        count: withheldPerCompany,
        bytes: withheldMib * mib,
        localAddress: `127.0.0.${5 + index}`,
      }),
    );
    await Promise.all(withheld.map(({ written }) => written));
    const push = await pushOnce(world);
    tookMs.push(push.ms);
    refused += push.refused;
    withheld.forEach(({ end }) => end());
    // The gateway notices that they are gone.
    await sleep(retryAfterMs);
  }
  const during = { tookMs, refused };
  const count = loud.length * withheldPerCompany;
  const what = `push of ${pushMib} MiB beside ${count} withheld bodies of ${withheldMib} MiB`;
  world.report.add(
    {
      what: `${what}, longest with its retries`,
      unit: 'ms',
      alone: longestOf(alone),
      during: longestOf(during),
      target: { of: 'added', atMost: delayMsMax },
    },
    {
      what: `${what}, refused in ${rounds} rounds`,
      unit: 'responses',
      alone: alone.refused,
      during: refused,
    },
  );
};
