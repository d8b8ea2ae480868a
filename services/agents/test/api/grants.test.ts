import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyId, runId, type Agent, type NoteGrant } from '@commonplace/contracts';
import { apiKeyDigests, pepperKeys, type AgentCaller } from '@commonplace/identity';
import { as, serviceCaller } from '@commonplace/testkit';
import { createWorld, currentPepper, type World } from '../support/agents-world.ts';
import { callerOf, createAgent, createCompany, type TestCompany } from '../support/fixtures.ts';

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

const grantOf = (folder: string, scope: NoteGrant['scope'] = 'any'): NoteGrant => ({
  folder,
  scope,
  mode: 'direct',
});
const refused = { status: 403, code: 'folder_not_granted' };

const owner = () => as(world.app, home.owner);
const digestsOf = (key: string) => apiKeyDigests(pepperKeys([currentPepper]), key);
const verifyKey = async (key: string) => {
  const gateway = as(world.app, serviceCaller('gateway'));
  const { body } = await gateway.post('/internal/keys/verify').send({ digests: digestsOf(key) });
  return body as { key: unknown; grantedKey?: { grants: NoteGrant[] } };
};
const verifyRun = async (id: string) => {
  const gateway = as(world.app, serviceCaller('gateway'));
  const { body } = await gateway.post('/internal/runs/verify').send({ runId: id });
  return body as { run: unknown; grantedRun?: { grants: NoteGrant[] } };
};

const makeKey = async (grants?: readonly NoteGrant[] | null, scopes?: readonly string[]) => {
  const body = { name: 'k', scopes, ...(grants === undefined ? {} : { grants }) };
  const response = await owner().post(`/api/agents/${ada.id}/keys`).send(body);
  expect(response.status).toBe(201);
  return response.body as { id: string; key: string; grants: NoteGrant[] | null };
};
const limitAgent = (grants: readonly NoteGrant[] | null) =>
  owner().patch(`/api/agents/${ada.id}`).send({ grants });

/** Ada by a key, with what the gateway knows of it. */
const byKey = (id: string, grants?: readonly NoteGrant[]): AgentCaller =>
  callerOf(ada, { keyId: keyId.parse(id), ...(grants ? { grants } : {}) });
const start = (caller: AgentCaller | TestCompany['owner'], body: object = {}) =>
  as(world.app, caller).post(`/api/agents/${ada.id}/runs`).send(body);

describe('grants', () => {
  it('are everything unless they say otherwise', async () => {
    const { key, grants } = await makeKey();
    expect(grants).toBeNull();
    expect((await owner().get(`/api/agents/${ada.id}`)).body.grants).toBeNull();
    expect(await verifyKey(key)).toMatchObject({ key: { agentId: ada.id } });
    const everything = await makeKey([grantOf('')]);
    expect(everything.grants).toBeNull();
    expect(await verifyKey(everything.key)).not.toHaveProperty('grantedKey');
  });

  it('of a key and its agent hold where both do, the lesser of each', async () => {
    const { key } = await makeKey([grantOf('a'), grantOf('b', 'read'), grantOf('/')]);
    await limitAgent([grantOf('a/b'), grantOf('b'), grantOf('c')]);
    expect(await verifyKey(key)).toMatchObject({
      key: null,
      grantedKey: { grants: [grantOf('a/b'), grantOf('b', 'read')] },
    });
    await limitAgent([grantOf('c')]);
    expect((await verifyKey(key)).grantedKey?.grants).toEqual([]);
    await limitAgent(null);
    expect((await verifyKey(key)).grantedKey?.grants).toEqual([
      grantOf('/'),
      grantOf('a'),
      grantOf('b', 'read'),
    ]);
  });

  it('to add to notes are less than those to change them', async () => {
    const { key } = await makeKey([grantOf('a', 'append'), grantOf('b', 'append')]);
    await limitAgent([grantOf('a'), grantOf('b', 'read')]);
    expect((await verifyKey(key)).grantedKey?.grants).toEqual([
      grantOf('a', 'append'),
      grantOf('b', 'read'),
    ]);
    const { id } = await makeKey([grantOf('a', 'append')]);
    const caller = byKey(id, [grantOf('a', 'append')]);
    expect((await start(caller, { grants: [grantOf('a')] })).body).toMatchObject(refused);
    expect((await start(caller, { grants: [grantOf('a', 'append')] })).status).toBe(201);
  });

  it('to propose are less than those to change, and neither is narrowed in silence', async () => {
    const proposed = (folder: string, scope: NoteGrant['scope'] = 'any') =>
      ({ folder, scope, mode: 'propose' }) as const;
    const { key } = await makeKey([grantOf('a'), proposed('b', 'append'), grantOf('c', 'append')]);
    await limitAgent([proposed('a'), grantOf('b'), proposed('c')]);
    expect((await verifyKey(key)).grantedKey?.grants).toEqual([
      proposed('a'),
      proposed('b', 'append'),
      proposed('c', 'append'),
    ]);
    const whole = await makeKey([proposed('')]);
    expect(whole.grants).toEqual([proposed('')]);
    const caller = byKey(whole.id, [proposed('')]);
    expect((await start(caller, { grants: [grantOf('a')] })).body).toMatchObject(refused);
    expect((await start(caller, { grants: [proposed('a')] })).status).toBe(201);
  });

  it('hide a credential from the functions of the release before', async () => {
    const found = (key: string) =>
      world.sql(`select key_id from agents.verify_scoped_key(array[decode($1, 'hex')], now())`, [
        digestsOf(key)[0],
      ]);
    const whole = await makeKey();
    const narrow = await makeKey([grantOf('a')]);
    const { body } = await start(home.owner);
    const running = () =>
      world.sql('select run_id from agents.verify_run_of_epoch($1, $2, null)', [
        (body as { run: { id: string } }).run.id,
        world.clock.now,
      ]);
    expect(await found(whole.key)).toHaveLength(1);
    expect(await found(narrow.key)).toEqual([]);
    expect(await running()).toHaveLength(1);
    await limitAgent([grantOf('a')]);
    expect(await found(whole.key)).toEqual([]);
    expect(await running()).toEqual([]);
  });

  it('stay with a key through its rotation', async () => {
    const { id } = await makeKey([grantOf('a')]);
    const rotated = await owner().post(`/api/agents/${ada.id}/keys/${id}/rotate`).send({});
    expect(rotated.body.grants).toEqual([grantOf('a')]);
  });

  it.each([
    ['an unknown mode', [{ folder: 'a', scope: 'any', mode: 'suggest' }]],
    ['an unknown scope', [{ folder: 'a', scope: 'write' }]],
    ['a folder with an empty segment', [{ folder: 'a//b', scope: 'read' }]],
    ['a folder that ends in a slash', [{ folder: 'a/', scope: 'read' }]],
    ['a folder with dots', [{ folder: '../a', scope: 'read' }]],
    ['a folder that is not in normal form C', [{ folder: 'e\u0301', scope: 'read' }]],
    ['too many', Array.from({ length: 33 }, (_, index) => grantOf(`f${index}`))],
    ['too long ones', Array.from({ length: 20 }, (_, index) => grantOf(`${index}`.repeat(100)))],
    ['no list', { folder: 'a', scope: 'read' }],
  ])('cannot be %s', async (_name, grants) => {
    const requests = [
      owner().post(`/api/agents/${ada.id}/keys`).send({ name: 'k', grants }),
      owner().patch(`/api/agents/${ada.id}`).send({ grants }),
      start(home.owner, { grants }),
    ];
    for (const { status, body } of await Promise.all(requests)) {
      expect([status, (body as { code: string }).code]).toEqual([400, 'validation_failed']);
    }
  });
});

describe('the grants of a run', () => {
  it('are those of the key that starts it, or fewer', async () => {
    const { id } = await makeKey([grantOf('a')]);
    const caller = byKey(id, [grantOf('a')]);
    const same = await start(caller);
    expect(same.body.run.grants).toEqual([grantOf('a')]);
    const fewer = await start(caller, { grants: [grantOf('a/b', 'read')] });
    expect(await verifyRun(String(fewer.body.run.id))).toMatchObject({
      run: null,
      grantedRun: { grants: [grantOf('a/b', 'read')] },
    });
  });

  it('are never more, and nothing is narrowed in silence', async () => {
    const { id } = await makeKey([grantOf('a', 'read')]);
    const caller = byKey(id, [grantOf('a', 'read')]);
    for (const grants of [
      null,
      [grantOf('')],
      [grantOf('a')],
      [grantOf('b', 'read')],
      [grantOf('/')],
    ]) {
      expect((await start(caller, { grants })).body).toMatchObject(refused);
    }
  });

  it('follow its agent, and keep other keys from renewing it', async () => {
    const { body } = await start(home.owner, { grants: [grantOf('a'), grantOf('b')] });
    const id = runId.parse((body as { run: { id: string } }).run.id);
    const renew = (caller: AgentCaller) =>
      as(world.app, caller).post(`/api/runs/${id}/renew`).send({});
    const key = await makeKey([grantOf('a')]);
    expect((await renew(byKey(key.id, [grantOf('a')]))).body).toMatchObject(refused);
    await limitAgent([grantOf('a')]);
    expect((await verifyRun(id)).grantedRun?.grants).toEqual([grantOf('a')]);
    // The agent may come to reach more again, and the run with it, while the new token is valid.
    expect((await renew(byKey(key.id, [grantOf('a')]))).body).toMatchObject(refused);
    const wider = await makeKey([grantOf('a'), grantOf('b'), grantOf('c')]);
    expect((await renew(byKey(wider.id, [grantOf('a')]))).status).toBe(200);
    const unlimited = await makeKey(undefined);
    expect((await renew(byKey(unlimited.id, [grantOf('a')]))).status).toBe(200);
  });
});

describe('what a credential reaches', () => {
  it('is what the agent reads of itself', async () => {
    const grants = [grantOf('a'), grantOf('b', 'read')];
    const { id } = await makeKey(grants);
    const me = await as(world.app, byKey(id, grants)).get('/api/agents/me');
    expect(me.body.credential.grants).toEqual(grants);
  });

  it('is all that it learns of what others reach: names of folders are not shown beyond it', async () => {
    const bob = await createAgent(home);
    const hidden = [grantOf('hidden/plans'), grantOf('a/b', 'read')];
    await owner().patch(`/api/agents/${bob.id}`).send({ grants: hidden });
    await limitAgent([grantOf('a'), grantOf('hidden')]);
    const run = await start(home.owner, { grants: [grantOf('hidden'), grantOf('a')] });
    const runPath = `/api/runs/${String(run.body.run.id)}`;
    const { id } = await makeKey([grantOf('a')]);
    const caller = as(world.app, byKey(id, [grantOf('a')]));
    const paths = [
      '/api/agents/me',
      `/api/agents/${bob.id}`,
      `/api/companies/${home.id}/agents`,
      `/api/agents/${ada.id}/runs`,
      `/api/companies/${home.id}/runs`,
      runPath,
    ];
    for (const path of paths) {
      const { status, text } = await caller.get(path);
      expect([path, status, text.includes('hidden')]).toEqual([path, 200, false]);
    }
    const renewed = await caller.post(`${runPath}/renew`).send({});
    expect(renewed.body).toMatchObject(refused);
    expect(renewed.text).not.toContain('hidden');
    const finished = await caller.post(`${runPath}/finish`).send({ status: 'succeeded' });
    expect(finished.body.grants).toEqual([grantOf('a')]);
    expect((await caller.get(`/api/agents/${bob.id}`)).body.grants).toEqual([
      grantOf('a/b', 'read'),
    ]);
    expect((await owner().get(`/api/agents/${bob.id}`)).body.grants).toHaveLength(2);
  });

  it('is checked again for a request that waited', async () => {
    const { id } = await makeKey([grantOf('a')]);
    await limitAgent([grantOf('a/b')]);
    const notes = as(world.app, serviceCaller('notes'));
    const named = { companyId: home.id, agentId: ada.id, keyId: id };
    const { body } = await notes.post('/internal/agents/check').send(named);
    expect(body).toMatchObject({ agent: { grants: [grantOf('a/b')] } });
  });

  it('is in the audit log when it changes', async () => {
    await limitAgent([grantOf('a')]);
    const { body } = await owner().get(
      `/api/companies/${home.id}/activity?entityId=${ada.id}&action=agent.updated`,
    );
    expect(body.items[0].detail).toEqual({ grants: { from: null, to: [grantOf('a')] } });
  });
});
