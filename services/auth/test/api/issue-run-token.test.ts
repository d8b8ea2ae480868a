import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentId, companyId, issueRunTokenContract, newId, runId } from '@commonplace/contracts';
import { signingKeys, verifyRunToken } from '@commonplace/identity';
import { agentCaller, as, operatorCaller, serviceCaller } from '@commonplace/testkit';
import { createWorld, runTokenSecret, type World } from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const run = {
  runId: runId.parse(newId()),
  agentId: agentId.parse(newId()),
  companyId: companyId.parse(newId()),
};
const issue = (body: object, caller = serviceCaller('agents')) =>
  as(world.app, caller).post(issueRunTokenContract.path).send(body);

describe('201', () => {
  it('issues a token that the gateway accepts for this run until it expires', async () => {
    const response = await issue({ ...run, ttlSeconds: 900 }).expect(201);
    const { token } = response.body as { token: string };
    const keys = signingKeys([runTokenSecret]);
    const claims = verifyRunToken(keys, token, Date.now());
    expect(claims).toMatchObject(run);
    const { issuedAtSeconds = 0, expiresAtSeconds = 0 } = claims ?? {};
    expect(expiresAtSeconds - issuedAtSeconds).toBe(900);
    const expiresAtMs = expiresAtSeconds * 1000;
    expect(verifyRunToken(keys, token, expiresAtMs - 1)).not.toBeNull();
    expect(verifyRunToken(keys, token, expiresAtMs)).toBeNull();
    const others = signingKeys(['another secret of thirty-two bytes']);
    expect(verifyRunToken(others, token, Date.now())).toBeNull();
  });

  it('signs by the clock of its machine, as the gateway checks, and says the end by that of the database', async () => {
    world.passSeconds(7_200);
    const { body } = await issue({ ...run, ttlSeconds: 900 }).expect(201);
    const { token, expiresAt } = body as { token: string; expiresAt: string };
    expect(verifyRunToken(signingKeys([runTokenSecret]), token, Date.now())).toMatchObject(run);
    const nowSeconds = Math.floor(world.deps.clock().getTime() / 1000);
    expect(Date.parse(expiresAt)).toBe((nowSeconds + 900) * 1000);
  });

  it('issues another token for the same run each time', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await issue({ ...run, ttlSeconds: 60 })).body as { token: string }),
    );
    expect(first?.token).not.toBe(second?.token);
  });
});

describe('errors', () => {
  it('400 outside 1 to 3600 seconds and for an invalid id', async () => {
    for (const ttlSeconds of [0, 3601, 1.5, '60']) {
      await issue({ ...run, ttlSeconds }).expect(400);
    }
    await issue({ ...run, runId: 'run', ttlSeconds: 60 }).expect(400);
  });

  it('401 for all but the agents service', async () => {
    const body = { ...run, ttlSeconds: 60 };
    const others = [
      null,
      agentCaller(),
      operatorCaller({ isAdmin: true }),
      serviceCaller('gateway'),
      serviceCaller('notes'),
    ];
    for (const caller of others) {
      await as(world.app, caller).post(issueRunTokenContract.path).send(body).expect(401);
    }
  });
});
