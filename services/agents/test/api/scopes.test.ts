import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyId, runId, scopes, type Agent, type RunId, type Scope } from '@commonplace/contracts';
import { apiKeyDigests, pepperKeys, type AgentCaller } from '@commonplace/identity';
import { as, serviceCaller } from '@commonplace/testkit';
import { createWorld, currentPepper, type World } from '../support/agents-world.ts';
import {
  callerOf,
  createAgent,
  createCompany,
  createKey,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
let home: TestCompany;
let ada: Agent;
beforeAll(async () => {
  world = await createWorld();
  home = await createCompany(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await createAgent(home);
});

const gateway = () => as(world.app, serviceCaller('gateway'));
const verifyKey = async (key: string) => {
  const digests = apiKeyDigests(pepperKeys([currentPepper]), key);
  return (await gateway().post('/internal/keys/verify').send({ digests })).body as unknown;
};
const verifyRun = async (id: string) =>
  (await gateway().post('/internal/runs/verify').send({ runId: id })).body as unknown;

/** Ada by a new key with these scopes, as the gateway identifies her. */
const byKey = async (held: readonly Scope[]): Promise<AgentCaller> => {
  const { id } = await createKey(home, ada, { scopes: held });
  return callerOf(ada, { keyId: keyId.parse(id), scopes: held });
};
const byRun = (id: string, held: readonly Scope[] | null): AgentCaller =>
  callerOf(ada, { keyId: null, runId: runId.parse(id), scopes: held });

const start = (caller: AgentCaller, body: object = {}) =>
  as(world.app, caller).post(`/api/agents/${ada.id}/runs`).send(body);
const renew = (caller: AgentCaller | TestCompany['owner'], id: RunId, body: object = {}) =>
  as(world.app, caller).post(`/api/runs/${id}/renew`).send(body);
const missing = (scope: Scope) => ({ status: 403, code: 'insufficient_scope', scope });

describe('the scopes of a key', () => {
  it('are all by default, and those it was made with otherwise, in one order', async () => {
    const whole = await createKey(home, ada);
    expect(whole.scopes).toEqual([...scopes]);
    const reader = await createKey(home, ada, {
      scopes: ['agents:read', 'notes:read', 'notes:read'],
    });
    expect(reader.scopes).toEqual(['notes:read', 'agents:read']);
    const listed = await as(world.app, home.owner).get(`/api/agents/${ada.id}/keys`);
    expect(listed.body.items.map((key: { scopes: Scope[] }) => key.scopes)).toEqual([
      reader.scopes,
      whole.scopes,
    ]);
  });

  it.each([[[]], [['notes:delete']], [['all']], ['notes:read'], [null]])(
    'cannot be %j',
    async (wrong) => {
      const response = await as(world.app, home.owner)
        .post(`/api/agents/${ada.id}/keys`)
        .send({ name: 'k', scopes: wrong });
      expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    },
  );

  it('stay the same through a rotation, which takes none', async () => {
    const reader = await createKey(home, ada, { scopes: ['notes:read'] });
    const path = `/api/agents/${ada.id}/keys/${reader.id}/rotate`;
    const widened = await as(world.app, home.owner)
      .post(path)
      .send({ scopes: [...scopes] });
    expect(widened.status).toBe(400);
    const rotated = await as(world.app, home.owner).post(path).send({});
    expect(rotated.body.scopes).toEqual(['notes:read']);
    expect(await verifyKey(String(rotated.body.key))).toMatchObject({
      key: null,
      scopedKey: { keyId: rotated.body.id, scopes: ['notes:read'] },
    });
  });

  it('are verified where a gateway that knows no scopes finds no key', async () => {
    const whole = await createKey(home, ada);
    const verified = await verifyKey(whole.key);
    expect(verified).toMatchObject({ key: { keyId: whole.id } });
    expect(verified).not.toHaveProperty('scopedKey');
    const reader = await createKey(home, ada, { scopes: ['notes:read'] });
    expect(await verifyKey(reader.key)).toMatchObject({ key: null });
  });

  it('hide a narrowed key and a narrowed run from the functions of older releases', async () => {
    const digestOf = ({ key }: { key: string }) => apiKeyDigests(pepperKeys([currentPepper]), key);
    const found = async (key: { key: string }) =>
      world.sql(`select key_id from agents.verify_key(array[decode($1, 'hex')], now())`, [
        digestOf(key)[0],
      ]);
    expect(await found(await createKey(home, ada))).toHaveLength(1);
    expect(await found(await createKey(home, ada, { scopes: ['notes:read'] }))).toEqual([]);
    const running = async (fields: object) =>
      world.sql('select run_id from agents.verify_run($1, $2)', [
        (await startRun(home, ada, { ...fields })).run.id,
        world.clock.now,
      ]);
    expect(await running({})).toHaveLength(1);
    expect(await running({ scopes: ['notes:read'] })).toEqual([]);
  });
});

describe('the scopes of a run', () => {
  it('are those of the key that starts it, or fewer', async () => {
    const caller = await byKey(['notes:read', 'runs:write']);
    const same = await start(caller);
    expect(same.body.run.scopes).toEqual(['notes:read', 'runs:write']);
    const fewer = await start(caller, { scopes: ['notes:read'] });
    expect(fewer.body.run.scopes).toEqual(['notes:read']);
    expect(await verifyRun(String(fewer.body.run.id))).toMatchObject({
      run: null,
      scopedRun: { scopes: ['notes:read'] },
    });
  });

  it('are never more than those of the key, and no token is issued for such a run', async () => {
    const issued = world.auth.issued.length;
    const caller = await byKey(['notes:read', 'runs:write']);
    const wider = await start(caller, { scopes: ['notes:read', 'notes:write'] });
    expect(wider.body).toMatchObject(missing('notes:write'));
    expect(wider.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="notes:write"',
    );
    expect(world.auth.issued).toHaveLength(issued);
  });

  it('may be any for an operator', async () => {
    const { run } = await startRun(home, ada, { scopes: ['agents:read'] });
    expect(run.scopes).toEqual(['agents:read']);
    expect((await startRun(home, ada)).run.scopes).toEqual([...scopes]);
  });

  it('are narrowed by a renewal for good, and never widened', async () => {
    const { run } = await startRun(home, ada, { scopes: ['notes:read', 'notes:write'] });
    expect((await renew(home.owner, run.id, { scopes: ['notes:read'] })).status).toBe(200);
    expect(await verifyRun(run.id)).toMatchObject({ scopedRun: { scopes: ['notes:read'] } });
    const again = await renew(home.owner, run.id, { scopes: ['notes:read', 'notes:write'] });
    expect(again.body).toMatchObject(missing('notes:write'));
    expect((await renew(home.owner, run.id)).status).toBe(200);
    expect(await verifyRun(run.id)).toMatchObject({ scopedRun: { scopes: ['notes:read'] } });
  });

  it('are not given to a key that has fewer, which would renew its way to more', async () => {
    const { run } = await startRun(home, ada);
    const keeper = await byKey(['runs:write']);
    expect((await renew(keeper, run.id)).body).toMatchObject(missing('notes:read'));
    expect((await renew(keeper, run.id, { scopes: ['notes:read'] })).body).toMatchObject(
      missing('notes:read'),
    );
    expect(await verifyRun(run.id)).toMatchObject({ run: { runId: run.id } });
  });

  it('are read again under the lock: a token verified before the narrowing renews nothing', async () => {
    const { run } = await startRun(home, ada);
    expect((await renew(byRun(run.id, null), run.id, { scopes: ['notes:read'] })).status).toBe(200);
    expect((await renew(byRun(run.id, null), run.id)).body).toMatchObject(missing('runs:write'));
  });
});

describe('an agent', () => {
  it('sees the scopes of its credential with any of them', async () => {
    for (const held of scopes) {
      const me = await as(world.app, callerOf(ada, { scopes: [held] })).get('/api/agents/me');
      expect([me.status, me.body.credential.scopes]).toEqual([200, [held]]);
    }
    const whole = await as(world.app, callerOf(ada)).get('/api/agents/me');
    expect(whole.body.credential.scopes).toEqual([...scopes]);
  });

  it('is looked up again with what its key or run holds now', async () => {
    const check = async (credential: object) =>
      (
        await as(world.app, serviceCaller('notes'))
          .post('/internal/agents/check')
          .send({ companyId: home.id, agentId: ada.id, ...credential })
      ).body.agent as object;
    const reader = await byKey(['notes:read']);
    expect(await check({ keyId: reader.keyId })).toMatchObject({ scopes: ['notes:read'] });
    const { run } = await startRun(home, ada, { scopes: ['notes:write'] });
    expect(await check({ runId: run.id })).toMatchObject({ scopes: ['notes:write'] });
    expect(await check({})).not.toHaveProperty('scopes');
  });
});

describe('the directory', () => {
  it('names every agent of the company and no other, page by page, with agents:read', async () => {
    const own = await createCompany(world);
    const names = ['Ada', 'Bea', 'Cal'];
    const agents = [];
    for (const name of names) {
      agents.push(await createAgent(own, { name, role: 'clerk' }));
    }
    const [first, , last] = agents as [Agent, Agent, Agent];
    await as(world.app, own.owner).post(`/api/agents/${last.id}/terminate`);
    const reader = callerOf(first, { scopes: ['agents:read'] });
    const page = await as(world.app, reader).get('/api/agents/directory?limit=2');
    const rest = await as(world.app, reader).get(
      `/api/agents/directory?cursor=${page.body.nextCursor}`,
    );
    expect([...page.body.items, ...rest.body.items]).toEqual(
      agents.map(({ id, name }) => ({
        id,
        name,
        role: 'clerk',
        status: id === last.id ? 'terminated' : 'active',
      })),
    );
    const refused = await as(world.app, callerOf(first, { scopes: ['notes:read'] })).get(
      '/api/agents/directory',
    );
    expect(refused.body).toMatchObject(missing('agents:read'));
    const operators = await as(world.app, own.owner).get('/api/agents/directory');
    expect(operators.body.items).toHaveLength(3);
  });
});
