import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, runId, sessionId, type Agent, type Run } from '@commonplace/contracts';
import { as, operatorCaller, serviceCaller, whileItWaits } from '@commonplace/testkit';
import { localOperatorId } from '@commonplace/contracts/core';
import type { OperatorCaller } from '@commonplace/identity';
import { endRunsOfOperators } from '../../src/commands/end-runs-of-operators.ts';
import { finishCancellations } from '../../src/commands/finish-cancellations.ts';
import { createApp } from '../../src/app.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  addMember,
  callerOf,
  createAgent,
  createCompany,
  createKey,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
let home: TestCompany;
let ada: Agent;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  home = await createCompany(world);
  ada = await createAgent(home);
});
afterAll(() => world.close());

type Starter = Parameters<typeof as>[1];

const owner = () => as(world.app, home.owner);
const start = async (caller: Starter): Promise<Run> => {
  const response = await as(world.app, caller).post(`/api/agents/${ada.id}/runs`).send({});
  expect(response.status).toBe(201);
  return response.body.run as Run;
};
const keyCaller = async (fields: Record<string, unknown> = {}) =>
  callerOf(ada, { keyId: (await createKey(home, ada, fields)).id });
const isVerified = async (run: Run): Promise<boolean> =>
  (
    await as(world.app, serviceCaller('gateway'))
      .post('/internal/runs/verify')
      .send({ runId: run.id })
  ).body.run !== null;
const statusOf = async (run: Run): Promise<unknown> =>
  (await owner().get(`/api/runs/${run.id}`)).body.status;
const keyPath = ({ keyId }: { readonly keyId: unknown }) =>
  `/api/agents/${ada.id}/keys/${String(keyId)}`;
const renew = async (run: Run, caller: Starter) => {
  const response = await as(world.app, caller).post(`/api/runs/${run.id}/renew`).send({});
  return response.status === 200 ? 'renewed' : `${response.status} ${response.body.code}`;
};
const byItsToken = (run: Run) => callerOf(ada, { runId: runId.parse(run.id), keyId: null });
const pass = (seconds: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + seconds * 1000);
};

describe('the runs of a key', () => {
  it('end when it is revoked, and only those', async () => {
    const leaked = await keyCaller();
    const [run, other] = [await start(leaked), await start(await keyCaller())];
    await owner().delete(keyPath(leaked)).expect(204);
    expect([await isVerified(run), await isVerified(other)]).toEqual([false, true]);
    expect([await statusOf(run), await statusOf(other)]).toEqual(['cancelled', 'running']);
    const activity = await owner().get(`/api/companies/${home.id}/activity?entityId=${run.id}`);
    expect(activity.body.items[0]).toMatchObject({
      action: 'run.cancelled',
      actor: { kind: 'operator', id: home.owner.operatorId },
      detail: { because: 'key revoked' },
    });
  });

  it('end when it is revoked by a process whose clock is behind', async () => {
    const leaked = await keyCaller();
    pass(2);
    const run = await start(leaked);
    pass(-2);
    await owner().delete(keyPath(leaked)).expect(204);
    expect([await isVerified(run), await statusOf(run)]).toEqual([false, 'cancelled']);
  });

  it('are not renewed while a revocation that overtook the renewal has not ended them yet', async () => {
    const leaked = await keyCaller();
    const run = await start(leaked);
    await world.sql('update agents.keys set revoked_at = now() where id = $1', [leaked.keyId]);
    expect(await renew(run, byItsToken(run))).toBe('409 key_not_live');
  });

  it.each([0, 600])('go on after a rotation with an overlap of %s s', async (overlapSeconds) => {
    const old = await keyCaller();
    const run = await start(old);
    await owner()
      .post(`${keyPath(old)}/rotate`)
      .send({ overlapSeconds })
      .expect(201);
    pass(overlapSeconds);
    expect(await isVerified(run)).toBe(true);
    expect(await renew(run, byItsToken(run))).toBe('409 key_not_live');
    expect(await isVerified(run)).toBe(true);
  });

  it('end when a rotated key is revoked; its time is kept', async () => {
    const old = await keyCaller();
    const run = await start(old);
    await owner()
      .post(`${keyPath(old)}/rotate`)
      .send({})
      .expect(201);
    const revokedAt = async () =>
      (await world.sql('select revoked_at from agents.keys where id = $1', [old.keyId]))[0];
    const before = await revokedAt();
    pass(1);
    await owner().delete(keyPath(old)).expect(204);
    expect([await isVerified(run), await statusOf(run)]).toEqual([false, 'cancelled']);
    expect(await revokedAt()).toEqual(before);
  });

  it('go on when it expires, until their tokens do', async () => {
    const expiresAt = new Date(world.clock.now.getTime() + 60_000).toISOString();
    const expiring = await keyCaller({ expiresAt });
    const run = await start(expiring);
    expect(await renew(run, byItsToken(run))).toBe('renewed');
    pass(61);
    expect(await isVerified(run)).toBe(true);
    expect(await renew(run, byItsToken(run))).toBe('409 key_not_live');
    pass(900);
    expect(await isVerified(run)).toBe(false);
  });

  it('belong to the key or operator that renews them from then on', async () => {
    const old = await keyCaller();
    const next = await keyCaller();
    const run = await start(old);
    expect(await renew(run, next)).toBe('renewed');
    await owner().delete(keyPath(old)).expect(204);
    expect(await isVerified(run)).toBe(true);
    expect(await renew(run, home.owner)).toBe('renewed');
    await owner().delete(keyPath(next)).expect(204);
    expect(await isVerified(run)).toBe(true);
  });
});

describe('renewals', () => {
  const renewals = async (run: Run) =>
    (
      await owner().get(
        `/api/companies/${home.id}/activity?entityId=${run.id}&action=run.renewed&limit=200`,
      )
    ).body.items as { actor: { keyId?: string; runId?: string }; detail: { scopes: string[] } }[];

  it('with one credential are in the audit log once in five minutes, and each one that narrows', async () => {
    const run = await start(await keyCaller());
    for (let count = 0; count < 20; count += 1) {
      expect(await renew(run, byItsToken(run))).toBe('renewed');
      pass(1);
    }
    expect(await renewals(run)).toHaveLength(1);
    const other = await keyCaller();
    expect(await renew(run, other)).toBe('renewed');
    expect((await renewals(run))[0]?.actor.keyId).toBe(other.keyId);
    const scopes = ['notes:read', 'runs:write'];
    await as(world.app, other).post(`/api/runs/${run.id}/renew`).send({ scopes }).expect(200);
    expect((await renewals(run))[0]?.detail.scopes).toEqual(scopes);
    pass(301);
    expect(await renew(run, other)).toBe('renewed');
    expect(await renewals(run)).toHaveLength(4);
  });
});

describe('the runs that an operator started', () => {
  const change = (member: OperatorCaller, role: string | null) => {
    const path = `/api/companies/${home.id}/members/${member.operatorId}`;
    return role === null ? owner().delete(path) : owner().patch(path).send({ role });
  };

  it.each([[null], ['viewer']])(
    'end when the member is removed or made a viewer: %s',
    async (role) => {
      const member = await addMember(home, 'owner');
      const [run, other] = [await start(member), await start(home.owner)];
      expect((await change(member, role)).status).toBeLessThan(300);
      expect([await isVerified(run), await isVerified(other)]).toEqual([false, true]);
      expect([await statusOf(run), await statusOf(other)]).toEqual(['cancelled', 'running']);
    },
  );

  it('end, those too that started while the change waited', async () => {
    for (const role of [null, 'viewer']) {
      const member = await addMember(home, 'owner');
      const run = await start(member);
      // As a start by another process, which reads its clock later and has the lock of the company first.
      const lock = `
        select from agents.companies where company_id = '${home.id}' for share;
        update agents.runs set started_at = started_at + interval '2 seconds'
        where company_id = '${home.id}' and id = '${run.id}'`;
      const response = await whileItWaits({ ...world, lock, end: 'commit' }, () =>
        change(member, role),
      );
      expect(response.status).toBeLessThan(300);
      expect(await statusOf(run)).toBe('cancelled');
    }
  });

  it('go on when an owner becomes an operator', async () => {
    const member = await addMember(home, 'owner');
    const run = await start(member);
    expect((await change(member, 'operator')).status).toBe(200);
    expect([await isVerified(run), await renew(run, byItsToken(run))]).toEqual([true, 'renewed']);
  });

  it('end when the operator is disabled, in every company, and do not come back', async () => {
    const member = await addMember(home, 'operator');
    const run = await start(member);
    const other = await start(home.owner);
    world.auth.disabled.add(member.operatorId);
    expect([await isVerified(run), await isVerified(other)]).toEqual([false, true]);
    expect(await endRunsOfOperators(world.deps)).toBe(1);
    await finishCancellations(world.deps.db);
    world.auth.disabled.delete(member.operatorId);
    expect([await isVerified(run), await statusOf(run)]).toEqual([false, 'cancelled']);
    expect(await statusOf(other)).toBe('running');
    expect(await endRunsOfOperators(world.deps)).toBe(0);
  });

  it('end when the access to the account is removed, and those that its person starts then go on', async () => {
    const member = { ...(await addMember(home, 'owner')), sessionId: sessionId.parse(newId()) };
    const [run, other] = [await start(member), await start(home.owner)];
    const invites = as(world.app, member).post(`/api/companies/${home.id}/invites`);
    const { token } = (await invites.send({ email: 'eve@example.org', role: 'owner' }).expect(201))
      .body;
    world.auth.evicted.add(member.operatorId);
    world.auth.epochs.set(member.operatorId, 1);
    expect([await isVerified(run), await isVerified(other)]).toEqual([false, true]);
    const late = await as(world.app, member).post(`/api/agents/${ada.id}/runs`).send({});
    expect([late.status, late.body.code]).toEqual([401, 'session_expired']);
    const tokenDigest = createHash('sha256').update(String(token)).digest('hex');
    const found = await as(world.app, serviceCaller('auth'))
      .post('/internal/invites/find')
      .send({ tokenDigest });
    expect(found.body.invite).toBeNull();
    world.auth.evicted.delete(member.operatorId);
    expect(await renew(run, member)).toBe('409 run_finished');
    const next = await start(member);
    expect(await endRunsOfOperators(world.deps)).toBe(1);
    await finishCancellations(world.deps.db);
    expect([await statusOf(run), await statusOf(next)]).toEqual(['cancelled', 'running']);
    expect([await isVerified(run), await isVerified(next)]).toEqual([false, true]);
    expect(await endRunsOfOperators(world.deps)).toBe(0);
    world.auth.epochs.delete(member.operatorId);
  });

  it('count only in local trusted mode if it was the local operator', async () => {
    const local = operatorCaller({ operatorId: localOperatorId, isLocal: true });
    const caller = { ...local, companies: home.owner.companies };
    const app = createApp({ ...world.deps, mode: 'local_trusted' });
    const started = await as(app, caller).post(`/api/agents/${ada.id}/runs`).send({});
    const { run } = started.body as { run: Run };
    const verified = await as(app, serviceCaller('gateway'))
      .post('/internal/runs/verify')
      .send({ runId: run.id });
    expect(verified.body.run).toMatchObject({ runId: run.id });
    expect(await isVerified(run)).toBe(false);
  });
});
