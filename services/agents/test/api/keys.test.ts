import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyId, newId } from '@commonplace/contracts';
import { apiKeyDigests, isWellFormedApiKey, pepperKeys } from '@commonplace/identity';
import { as, serviceCaller } from '@commonplace/testkit';
import { createWorld, currentPepper, olderPepper, type World } from '../support/agents-world.ts';
import {
  callerOf,
  createCompany,
  createKey,
  createAgent,
  addMember,
  namesOf,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const verify = async (key: string, peppers: [string, ...string[]] = [currentPepper, olderPepper]) =>
  (
    await as(world.app, serviceCaller('gateway'))
      .post('/internal/keys/verify')
      .send({ digests: apiKeyDigests(pepperKeys(peppers), key) })
  ).body.key as Record<string, unknown> | null;

const later = (seconds: number) => new Date(world.clock.now.getTime() + seconds * 1000);

describe('creating a key', () => {
  it('returns the well-formed value once, and stores nothing that reveals it', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const response = await as(world.app, home.owner)
      .post(`/api/agents/${ada.id}/keys`)
      .send({ name: 'laptop' });
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { key, prefix, ...rest } = response.body as Record<string, string>;
    expect(isWellFormedApiKey(key ?? '')).toBe(true);
    expect(key?.startsWith(prefix ?? '?')).toBe(true);
    expect(rest).toMatchObject({
      agentId: ada.id,
      companyId: home.id,
      name: 'laptop',
      createdBy: { kind: 'operator', id: home.owner.operatorId },
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    const listed = await as(world.app, home.owner).get(`/api/agents/${ada.id}/keys`);
    expect(listed.body.items).toEqual([{ ...rest, prefix }]);
    const dump = JSON.stringify([
      await world.sql('select * from agents.keys'),
      await world.sql('select * from agents.activity'),
      await world.sql(`select encode(digest, 'escape') from agents.key_digests`),
    ]);
    expect(dump).not.toContain(key);
  });

  it('is allowed to operators and owners; viewers may list, agents may not', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const [viewer, operator] = [await addMember(home, 'viewer'), await addMember(home, 'operator')];
    const path = `/api/agents/${ada.id}/keys`;
    const codeOf = async (caller: Parameters<typeof as>[1]) =>
      (await as(world.app, caller).post(path).send({ name: 'k' })).body.code as unknown;
    expect(await codeOf(operator)).toBeUndefined();
    expect(await codeOf(viewer)).toBe('role_insufficient');
    expect(await codeOf(callerOf(ada))).toBe('operator_only');
    expect((await as(world.app, viewer).get(path)).status).toBe(200);
    expect((await as(world.app, callerOf(ada)).get(path)).body.code).toBe('operator_only');
  });

  it.each([
    ['in the past', '2020-01-01T00:00:00Z'],
    ['beyond the year 9999', '9999-12-31T23:59:59-23:00'],
    ['without an offset', '2999-01-01T00:00:00'],
    ['that is no time', 'tomorrow'],
    ['that is a number', 4_102_444_800_000],
  ])('rejects an expiry %s with 400', async (_what, expiresAt) => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const response = await as(world.app, home.owner)
      .post(`/api/agents/${ada.id}/keys`)
      .send({ name: 'k', expiresAt });
    expect([response.status, response.body.errors[0].path]).toEqual([400, '/expiresAt']);
  });

  it('allows ten active keys, even with twelve concurrent requests', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        as(world.app, home.owner)
          .post(`/api/agents/${ada.id}/keys`)
          .send({ name: `k${index}` }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(responses.filter(({ body }) => body.code === 'key_limit')).toHaveLength(2);
    const path = `/api/agents/${ada.id}/keys`;
    const listed = await as(world.app, home.owner).get(`${path}?limit=4`);
    const rest = await as(world.app, home.owner).get(`${path}?cursor=${listed.body.nextCursor}`);
    expect(new Set([...namesOf(listed.body), ...namesOf(rest.body)]).size).toBe(10);
    await as(world.app, home.owner).delete(`${path}/${listed.body.items[0].id}`);
    await createKey(home, ada);
  });
});

describe('a list of keys', () => {
  it('of another company is 403, of an unknown agent 404, also with a cursor', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    await createKey(home, ada);
    await createKey(home, ada);
    const otherCompany = await createCompany(world);
    const first = await as(world.app, home.owner).get(`/api/agents/${ada.id}/keys?limit=1`);
    const cursor = first.body.nextCursor as string;
    const narrowed = { ...otherCompany.owner, selectedCompanyId: otherCompany.id };
    for (const caller of [otherCompany.owner, narrowed]) {
      for (const query of ['', `?cursor=${cursor}`]) {
        const foreign = await as(world.app, caller).get(`/api/agents/${ada.id}/keys${query}`);
        expect(foreign.body.code).toBe('cross_company');
        expect(
          (await as(world.app, caller).get(`/api/agents/${newId()}/keys${query}`)).status,
        ).toBe(404);
      }
    }
  });
});

describe('revoking a key', () => {
  it('takes effect at once, keeps the first time, and is logged once', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const made = await createKey(home, ada);
    const path = `/api/agents/${ada.id}/keys`;
    const call = as(world.app, home.owner);
    expect(await verify(made.key)).not.toBeNull();
    const { now } = world.clock;
    expect((await call.delete(`${path}/${made.id}`)).status).toBe(204);
    expect(await verify(made.key)).toBeNull();
    world.clock.now = later(60);
    expect((await call.delete(`${path}/${made.id}`)).status).toBe(204);
    expect((await call.get(path)).body.items[0].revokedAt).toBe(now.toISOString());
    const activity = await call.get(
      `/api/companies/${home.id}/activity?entityId=${made.id}&action=key.revoked`,
    );
    expect(activity.body.items).toHaveLength(1);
  });

  it('is 404 for a key of another agent before query, body or role are checked', async () => {
    const home = await createCompany(world);
    const [ada, bob] = [await createAgent(home), await createAgent(home)];
    const { id } = await createKey(home, ada);
    const viewer = await addMember(home, 'viewer');
    const path = `/api/agents/${bob.id}/keys/${id}`;
    const responses = [
      await as(world.app, home.owner).post(`${path}/rotate`).send({ overlapSeconds: -1 }),
      await as(world.app, home.owner).delete(`${path}?unknown=1`),
      await as(world.app, viewer).delete(path),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('is 404 for a key of another agent, 403 for one of another company, 404 for an unknown one', async () => {
    const home = await createCompany(world);
    const [ada, bob] = [await createAgent(home), await createAgent(home)];
    const otherCompany = await createCompany(world);
    const foreign = await createKey(otherCompany, await createAgent(otherCompany));
    const ofBob = await createKey(home, bob);
    const remove = (id: string) =>
      as(world.app, home.owner).delete(`/api/agents/${ada.id}/keys/${id}`);
    expect((await remove(ofBob.id)).status).toBe(404);
    expect((await remove(foreign.id)).body.code).toBe('cross_company');
    expect((await remove(newId())).status).toBe(404);
    expect(await verify(ofBob.key)).not.toBeNull();
  });
});

describe('the keys of a company', () => {
  const namesOfKeys = async (home: TestCompany, query = '') => {
    const path = `/api/companies/${home.id}/keys${query}`;
    const { status, body } = await as(world.app, home.owner).get(path);
    expect(status).toBe(200);
    return {
      names: (body.items as { name: string }[]).map(({ name }) => name),
      cursor: body.nextCursor as string | null,
    };
  };

  it('are those of all agents, newest first, by page, agent, state, last use and expiry', async () => {
    const home = await createCompany(world);
    const [ada, bo] = [await createAgent(home), await createAgent(home)];
    const daysLater = (days: number) => later(days * 86_400).toISOString();
    const make = async (agent: typeof ada, name: string, expiresAt: string | null = null) => {
      world.clock.now = later(1);
      return createKey(home, agent, { name, expiresAt });
    };
    await make(ada, 'forgotten');
    await make(ada, 'expired', daysLater(1));
    const used = await make(bo, 'used');
    const gone = await make(bo, 'gone');
    world.clock.now = later(40 * 86_400);
    await make(ada, 'soon', daysLater(3));
    await as(world.app, home.owner).delete(`/api/agents/${bo.id}/keys/${gone.id}`);
    await world.sql('update agents.keys set last_used_at = $2 where id = $1', [
      used.id,
      world.clock.now,
    ]);
    const all = ['soon', 'gone', 'used', 'expired', 'forgotten'];
    expect((await namesOfKeys(home)).names).toEqual(all);
    const first = await namesOfKeys(home, '?limit=3');
    const rest = await namesOfKeys(home, `?limit=3&cursor=${first.cursor}`);
    expect([...first.names, ...rest.names]).toEqual(all);
    expect(rest.cursor).toBeNull();
    const monthAgo = daysLater(-30);
    for (const [query, expected] of [
      [`agentId=${bo.id}`, ['gone', 'used']],
      ['active=true', ['soon', 'used', 'forgotten']],
      ['active=false', ['gone', 'expired']],
      [`unusedSince=${monthAgo}`, ['forgotten']],
      [`expiresBefore=${daysLater(14)}`, ['soon']],
      [`expiresBefore=${daysLater(14)}&agentId=${bo.id}`, []],
    ] as const) {
      expect([query, (await namesOfKeys(home, `?${query}`)).names]).toEqual([query, expected]);
    }
  });

  it('are listed for its viewers, and for nobody else', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const path = `/api/companies/${home.id}/keys`;
    const statusFor = async (caller: Parameters<typeof as>[1]) =>
      (await as(world.app, caller).get(path)).status;
    expect(await statusFor(await addMember(home, 'viewer'))).toBe(200);
    expect(await statusFor(callerOf(ada))).toBe(403);
    expect(await statusFor((await createCompany(world)).owner)).toBe(403);
  });
});

describe('rotating a key', () => {
  it('says which key took the place of the old one', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    for (const overlapSeconds of [0, 60]) {
      const old = await createKey(home, ada);
      const { body } = await as(world.app, home.owner)
        .post(`/api/agents/${ada.id}/keys/${old.id}/rotate`)
        .send({ overlapSeconds });
      expect(body.replacedBy).toBeNull();
      const { items } = (await as(world.app, home.owner).get(`/api/agents/${ada.id}/keys`)).body;
      const found = (items as { id: string; replacedBy: string }[]).find(({ id }) => id === old.id);
      expect(found?.replacedBy).toBe(body.id);
    }
  });

  it('creates one with the same name and expiry, and revokes the old one at once', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const expiresAt = later(3600).toISOString();
    const old = await createKey(home, ada, { name: 'ci', expiresAt });
    const rotate = () =>
      as(world.app, home.owner).post(`/api/agents/${ada.id}/keys/${old.id}/rotate`).send({});
    const response = await rotate();
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toMatchObject({ name: 'ci', expiresAt, revokedAt: null });
    expect(await verify(old.key)).toBeNull();
    expect(await verify(response.body.key as string)).toMatchObject({ keyId: response.body.id });
    expect((await rotate()).body.code).toBe('key_not_live');
  });

  it('keeps the old one active for the overlap, and no longer', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const old = await createKey(home, ada);
    const rotate = (body: object) =>
      as(world.app, home.owner).post(`/api/agents/${ada.id}/keys/${old.id}/rotate`).send(body);
    expect((await rotate({ overlapSeconds: 604_801 })).status).toBe(400);
    await rotate({ overlapSeconds: 60 });
    expect(await verify(old.key)).not.toBeNull();
    world.clock.now = later(60);
    expect(await verify(old.key)).toBeNull();
    expect((await rotate({})).body.code).toBe('key_not_live');
  });

  it.each([0, 60])(
    'twice with an overlap of %s s is refused and names the successor, which has the expiry of the first',
    async (overlapSeconds) => {
      const home = await createCompany(world);
      const ada = await createAgent(home);
      const rotate = (id: string) =>
        as(world.app, home.owner)
          .post(`/api/agents/${ada.id}/keys/${id}/rotate`)
          .send({ overlapSeconds });
      const old = await createKey(home, ada);
      const { body: successor } = await rotate(old.id);
      const refused = await rotate(old.id);
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { code: 'key_not_live', replacedBy: successor.id },
      ]);
      const again = await rotate(String(successor.id));
      expect([successor.expiresAt, again.status, again.body.expiresAt]).toEqual([null, 201, null]);
    },
  );

  it('with ten active keys works without an overlap only', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const keys = [];
    for (let count = 0; count < 10; count += 1) {
      keys.push(await createKey(home, ada));
    }
    const path = `/api/agents/${ada.id}/keys/${keys[0]?.id}/rotate`;
    const overlapping = await as(world.app, home.owner).post(path).send({ overlapSeconds: 5 });
    expect(overlapping.body.code).toBe('key_limit');
    expect((await as(world.app, home.owner).post(path).send({})).status).toBe(201);
  });

  it('creates one new key for concurrent requests', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const { id } = await createKey(home, ada);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        as(world.app, home.owner).post(`/api/agents/${ada.id}/keys/${id}/rotate`).send({}),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('verifying a key', () => {
  it('returns its agent, to the gateway only', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { name: 'Ada' });
    const made = await createKey(home, ada);
    expect(await verify(made.key)).toEqual({
      keyId: made.id,
      agentId: ada.id,
      companyId: home.id,
      agentName: 'Ada',
      agentStatus: 'active',
      expiresAt: null,
    });
    for (const caller of [home.owner, callerOf(ada), serviceCaller('notes'), null]) {
      const response = await as(world.app, caller).post('/internal/keys/verify').send({});
      expect(response.status).toBe(401);
    }
  });

  it('returns paused for a paused agent, and null for expired, terminated and archived', async () => {
    const home = await createCompany(world);
    const [ada, bob] = [await createAgent(home), await createAgent(home)];
    const [ofAda, ofBob] = [await createKey(home, ada), await createKey(home, bob)];
    const brief = await createKey(home, bob, { expiresAt: later(10).toISOString() });
    const call = as(world.app, home.owner);
    await call.post(`/api/agents/${ada.id}/pause`);
    expect(await verify(ofAda.key)).toMatchObject({ agentStatus: 'paused' });
    await call.post(`/api/agents/${ada.id}/terminate`);
    expect(await verify(ofAda.key)).toBeNull();
    expect(await verify(brief.key)).not.toBeNull();
    world.clock.now = later(10);
    expect(await verify(brief.key)).toBeNull();
    expect(await verify(ofBob.key)).not.toBeNull();
    await call.patch(`/api/companies/${home.id}`).send({ status: 'archived' });
    expect(await verify(ofBob.key)).toBeNull();
    await call.patch(`/api/companies/${home.id}`).send({ status: 'active' });
    expect(await verify(ofBob.key)).not.toBeNull();
  });

  it('replaces a digest with an older pepper by the current one', async () => {
    const home = await createCompany(world);
    const made = await createKey(home, await createAgent(home));
    const newest = 'test-only-newest-pepper-of-32-bytes-0001';
    expect(await verify(made.key, [newest])).toBeNull();
    expect(await verify(made.key, [newest, currentPepper])).toMatchObject({ keyId: made.id });
    expect(await verify(made.key, [newest])).toMatchObject({ keyId: made.id });
    expect(await verify(made.key, [currentPepper])).toBeNull();
  });

  it('writes the last use in batches, at most once a minute', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const made = await createKey(home, ada);
    const lastUsed = async () => {
      await world.deps.keyUsage.flush();
      const listed = await as(world.app, home.owner).get(`/api/agents/${ada.id}/keys`);
      return listed.body.items[0].lastUsedAt as unknown;
    };
    expect(await lastUsed()).toBeNull();
    const first = world.clock.now;
    await verify(made.key);
    expect(await lastUsed()).toBe(first.toISOString());
    world.clock.now = later(59);
    await verify(made.key);
    expect(await lastUsed()).toBe(first.toISOString());
    world.clock.now = later(1);
    await verify(made.key);
    expect(await lastUsed()).toBe(world.clock.now.toISOString());
  });

  it('returns null for an unknown key', async () => {
    expect(await verify(`cpk_${keyId.parse(newId())}`)).toBeNull();
  });
});

it('fails the check of its agent once the key has ended', async () => {
  const home = await createCompany(world);
  const ada = await createAgent(home);
  const { id } = await createKey(home, ada);
  const check = async () =>
    (
      await as(world.app, serviceCaller('notes'))
        .post('/internal/agents/check')
        .send({ companyId: home.id, agentId: ada.id, keyId: id })
    ).body.agent as unknown;
  expect(await check()).toEqual({ agentStatus: 'active', companyStatus: 'active' });
  await as(world.app, home.owner).delete(`/api/agents/${ada.id}/keys/${id}`);
  expect(await check()).toBeNull();
});
