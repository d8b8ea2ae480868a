import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { as, serviceCaller, whileItWaits } from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  createCompany,
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

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');
const invite = (home: TestCompany, email = `${newId()}@example.org`) =>
  as(world.app, home.owner)
    .post(`/api/companies/${home.id}/invites`)
    .send({ email, role: 'operator' });
const find = async (token: string) =>
  (
    await as(world.app, serviceCaller('auth'))
      .post('/internal/invites/find')
      .send({ tokenDigest: digestOf(token) })
  ).body.invite as Record<string, unknown> | null;
const redeem = (token: string, operator: { id: string; email: string; name: string }) =>
  as(world.app, serviceCaller('auth'))
    .post('/internal/invites/redeem')
    .send({ tokenDigest: digestOf(token), operator });
/** Adds invites for a day, which expire before those that are created through the API. */
const fill = async (home: TestCompany, count: number, acceptedBy: string | null = null) => {
  await world.sql(
    `insert into agents.invites
       (company_id, id, email, role, token_digest, created_at, expires_at, invited_by, accepted_by)
     select $1, gen_random_uuid(), n || '@example.org', 'viewer', sha256(n::text::bytea), now(),
       now() + interval '1 day', $2, $4 from generate_series(1, $3::integer) n`,
    [home.id, home.owner.operatorId, count, acceptedBy],
  );
};
const personOf = (email: string) => ({ id: newId(), email, name: 'Nora' });

describe('an invite', () => {
  it('returns its token once, stores only its SHA-256, and expires after 72 hours', async () => {
    const home = await createCompany(world);
    const response = await invite(home, ' Nora@Example.org ');
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { token, url, email, createdAt, expiresAt } = response.body as Record<string, string>;
    expect(email).toBe('nora@example.org');
    expect(Buffer.from(token ?? '', 'base64url')).toHaveLength(32);
    expect(url).toBe(`https://commonplace.example/invite#token=${token}`);
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBe(72 * 3_600_000);
    const stored = await world.sql('select * from agents.invites i, agents.invite_digests d');
    expect(JSON.stringify(stored)).not.toContain(token);
    const listed = await as(world.app, home.owner).get(`/api/companies/${home.id}/invites`);
    expect(namesOf(listed.body, 'email')).toEqual(['nora@example.org']);
    expect(JSON.stringify(listed.body)).not.toContain(token);
  });

  it('can be created, read and deleted by owners only', async () => {
    const home = await createCompany(world);
    const { body } = await invite(home);
    const operator = as(world.app, await addMember(home, 'operator'));
    const path = `/api/companies/${home.id}/invites`;
    expect((await operator.get(path)).body.code).toBe('role_insufficient');
    expect((await operator.post(path).send({})).body.code).toBe('role_insufficient');
    expect((await operator.delete(`${path}/${body.id}`)).body.code).toBe('role_insufficient');
  });

  it('once deleted, its token is invalid; another company is 403, an unknown invite 404', async () => {
    const home = await createCompany(world);
    const other = await createCompany(world);
    const { body } = await invite(home);
    const remove = (owner: TestCompany, id: string) =>
      as(world.app, owner.owner).delete(`/api/companies/${owner.id}/invites/${id}`);
    expect((await remove(other, body.id)).body.code).toBe('cross_company');
    expect((await remove(home, newId())).status).toBe(404);
    expect((await remove(home, body.id)).status).toBe(204);
    expect((await remove(home, body.id)).status).toBe(404);
    expect(await find(body.token)).toBeNull();
  });

  it('cannot be created for a member', async () => {
    const home = await createCompany(world);
    expect((await invite(home, home.owner.email)).body.code).toBe('already_member');
  });

  it('is not available in local trusted mode', async () => {
    const home = await createCompany(world);
    const local = createApp({ ...world.deps, mode: 'local_trusted' });
    const path = `/api/companies/${home.id}/invites`;
    const call = as(local, home.owner);
    const responses = [
      await call.get(path),
      await call.post(path).send({ email: 'a@b.example', role: 'viewer' }),
      await call.delete(`${path}/${newId()}`),
    ];
    expect(responses.map(({ body }) => body.code)).toEqual([
      'local_trusted',
      'local_trusted',
      'local_trusted',
    ]);
  });
});

describe('the invites of a company', () => {
  it('are deleted, with an audit entry, when their creator is no longer an owner', async () => {
    const home = await createCompany(world);
    const inviter = await addMember(home, 'owner');
    const { body } = await invite({ ...home, owner: inviter }, 'ally@example.org');
    await as(world.app, home.owner)
      .delete(`/api/companies/${home.id}/members/${inviter.operatorId}`)
      .expect(204);
    const list = await as(world.app, home.owner).get(`/api/companies/${home.id}/invites`);
    expect(list.body.items).toEqual([]);
    const path = `/api/companies/${home.id}/activity?action=invite.withdrawn`;
    const activity = await as(world.app, home.owner).get(path);
    expect(activity.body.items).toMatchObject([
      { entity: { type: 'invite', id: body.id }, detail: { email: 'ally@example.org' } },
    ]);
    const left = await world.sql('select from agents.entity_owners where id = $1', [body.id]);
    expect(left).toEqual([]);
  });

  it('are one for an email: a later one ends the earlier, with an audit entry', async () => {
    const home = await createCompany(world);
    const path = `/api/companies/${home.id}/invites`;
    const send = async (body: object) =>
      (await as(world.app, home.owner).post(path).send(body).expect(201)).body as {
        readonly id: string;
        readonly token: string;
      };
    const email = `${newId()}@example.org`;
    const first = await send({ email, role: 'operator' });
    const other = await invite(home);
    const grants = [{ folder: 'a', scope: 'read', mode: 'direct' }];
    const second = await send({ email: email.toUpperCase(), role: 'viewer', grants });
    const { body } = await as(world.app, home.owner).get(path);
    const listed = (body as { items: { id: string; email: string }[] }).items;
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: second.id, email, role: 'viewer', grants }),
        expect.objectContaining({ id: (other.body as { id: string }).id }),
      ]),
    );
    expect(await find(first.token)).toBeNull();
    expect((await redeem(first.token, personOf(email))).body).toMatchObject({
      code: 'invalid_one_time_token',
    });
    const log = await as(world.app, home.owner).get(
      `/api/companies/${home.id}/activity?action=invite.withdrawn`,
    );
    expect(log.body).toMatchObject({ items: [{ entity: { id: first.id }, detail: { email } }] });
    expect((await redeem(second.token, personOf(email))).status).toBe(200);
  });

  it('are not listed once their creator was disabled or lost the account', async () => {
    const home = await createCompany(world);
    const inviter = await addMember(home, 'owner');
    const { body: kept } = await invite(home, 'kept@example.org');
    const { body: ended } = await invite({ ...home, owner: inviter }, 'ally@example.org');
    const listed = async () =>
      namesOf(
        (await as(world.app, home.owner).get(`/api/companies/${home.id}/invites`)).body,
        'id',
      );
    expect(await listed()).toEqual([ended.id, kept.id]);
    world.auth.epochs.set(inviter.operatorId, 1);
    expect(await listed()).toEqual([kept.id]);
    world.auth.epochs.delete(inviter.operatorId);
    world.auth.disabled.add(inviter.operatorId);
    expect(await listed()).toEqual([kept.id]);
  });

  it('are at most a thousand open ones, even with concurrent requests', async () => {
    const home = await createCompany(world);
    await fill(home, 998);
    const responses = await Promise.all([1, 2, 3, 4].map(() => invite(home)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    expect((await invite(home)).body.code).toBe('invite_limit');
    const { now } = world.clock;
    world.clock.now = new Date(now.getTime() + 2 * 86_400_000);
    expect((await invite(home)).status).toBe(201);
    world.clock.now = now;
  });

  it('do not count once nobody can accept them, because their creator was disabled or lost the account', async () => {
    const home = await createCompany(world);
    const thief = await addMember(home, 'owner');
    await fill({ ...home, owner: thief }, 1_000);
    expect((await invite(home)).body.code).toBe('invite_limit');
    world.auth.epochs.set(thief.operatorId, 1);
    expect((await invite(home)).status).toBe(201);
    world.auth.epochs.delete(thief.operatorId);
    expect((await invite(home)).body.code).toBe('invite_limit');
    world.auth.disabled.add(thief.operatorId);
    expect((await invite(home)).status).toBe(201);
  });

  it('do not count once they have expired, however many older ones were accepted', async () => {
    const home = await createCompany(world);
    await fill(home, 100, home.owner.operatorId);
    await fill(home, 1_000);
    const { now } = world.clock;
    world.clock.now = new Date(now.getTime() + 2 * 86_400_000);
    const responses = [await invite(home), await invite(home)];
    world.clock.now = now;
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('redeeming an invite', () => {
  it('makes the operator a member with the role of the invite, once', async () => {
    const home = await createCompany(world, 'Inviting');
    const { body } = await invite(home, 'nora@example.org');
    expect(await find(body.token)).toEqual({
      inviteId: body.id,
      companyId: home.id,
      companyName: 'Inviting',
      email: 'nora@example.org',
      role: 'operator',
      invitedBy: home.owner.operatorId,
      grants: null,
      isUsed: false,
    });
    const nora = personOf('nora@example.org');
    const first = await redeem(body.token, nora);
    expect(first.body.membership).toEqual({
      companyId: home.id,
      companyName: 'Inviting',
      role: 'operator',
      companyStatus: 'active',
    });
    const list = await as(world.app, home.owner).get(`/api/companies/${home.id}/invites`);
    expect(list.body.items).toEqual([]);
    const gone = `/api/companies/${home.id}/invites/${body.id}`;
    expect((await as(world.app, home.owner).delete(gone)).status).toBe(404);
  });

  it('returns the same to the same operator, as long as it is a member', async () => {
    const home = await createCompany(world);
    const { body } = await invite(home, 'again@example.org');
    const person = personOf('again@example.org');
    const first = await redeem(body.token, person);
    const again = await redeem(body.token, person);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await find(body.token)).toMatchObject({ isUsed: true });
    const members = `/api/companies/${home.id}/members`;
    expect((await as(world.app, home.owner).delete(`${members}/${person.id}`)).status).toBe(204);
    expect((await redeem(body.token, person)).body.code).toBe('invalid_one_time_token');
    expect(await find(body.token)).toBeNull();
  });

  it('admits one of two concurrent requests with the token', async () => {
    const home = await createCompany(world);
    const { body } = await invite(home, 'twice@example.org');
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => redeem(body.token, personOf('twice@example.org'))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is rejected for other operators, after 72 hours, and for an archived company', async () => {
    const home = await createCompany(world);
    const { body } = await invite(home, 'nora@example.org');
    const nora = personOf('nora@example.org');
    const thief = await redeem(body.token, personOf('thief@example.org'));
    expect(thief.body.code).toBe('invalid_one_time_token');
    const archive = (status: string) =>
      as(world.app, home.owner).patch(`/api/companies/${home.id}`).send({ status });
    await archive('archived');
    expect((await redeem(body.token, nora)).body.code).toBe('invalid_one_time_token');
    expect(await find(body.token)).toBeNull();
    await archive('active');
    const { now } = world.clock;
    world.clock.now = new Date(now.getTime() + 72 * 3_600_000);
    expect((await redeem(body.token, nora)).body.code).toBe('invalid_one_time_token');
    expect(await find(body.token)).toBeNull();
    world.clock.now = now;
    expect((await redeem(body.token, nora)).status).toBe(200);
  });

  it('is rejected when its creator was removed, demoted or disabled, even temporarily', async () => {
    const remove = async (home: TestCompany, id: string) => {
      await as(world.app, home.owner).delete(`/api/companies/${home.id}/members/${id}`).expect(204);
    };
    const demote = async (home: TestCompany, id: string) => {
      const path = `/api/companies/${home.id}/members/${id}`;
      await as(world.app, home.owner).patch(path).send({ role: 'operator' }).expect(200);
      await as(world.app, home.owner).patch(path).send({ role: 'owner' }).expect(200);
    };
    const disable = async (_home: TestCompany, id: string) => {
      world.auth.disabled.add(id);
    };
    for (const end of [remove, demote, disable]) {
      const home = await createCompany(world);
      const inviter = await addMember(home, 'owner');
      const { body } = await invite({ ...home, owner: inviter }, 'ally@example.org');
      const kept = (await invite(home, 'kept@example.org')).body as { token: string };
      await end(home, inviter.operatorId);
      expect(await find(body.token)).toBeNull();
      const late = await redeem(body.token, personOf('ally@example.org'));
      expect(late.body.code).toBe('invalid_one_time_token');
      expect((await redeem(kept.token, personOf('kept@example.org'))).status).toBe(200);
    }
  });

  it('is rejected when its creator is removed while the acceptance waits for a lock', async () => {
    for (const [change, status] of [
      ['delete from agents.memberships', 401],
      ['update agents.memberships set role = $$viewer$$', 401],
      ['update agents.memberships set name = $$Other$$', 200],
    ] as const) {
      const home = await createCompany(world);
      const inviter = await addMember(home, 'owner');
      const { body } = await invite({ ...home, owner: inviter }, 'ally@example.org');
      const lock = `${change} where operator_id = '${inviter.operatorId}'`;
      const response = await whileItWaits({ ...world, lock, end: 'commit' }, () =>
        redeem(body.token, personOf('ally@example.org')),
      );
      expect(response.status).toBe(status);
    }
  });

  it('concurrent with the removal of its creator: it succeeds before it, or never', async () => {
    for (let round = 0; round < 8; round += 1) {
      const home = await createCompany(world);
      const inviter = await addMember(home, 'owner');
      const { body } = await invite({ ...home, owner: inviter }, 'ally@example.org');
      const [removed, accepted] = await Promise.all([
        as(world.app, home.owner).delete(`/api/companies/${home.id}/members/${inviter.operatorId}`),
        redeem(body.token, personOf('ally@example.org')),
      ]);
      expect(removed.status).toBe(204);
      const rows = await world.sql(
        `select action from agents.activity
         where company_id = $1 and action in ('invite.withdrawn', 'member.added')
           and detail->>'email' = 'ally@example.org'`,
        [home.id],
      );
      const expected = accepted.status === 200 ? 'member.added' : 'invite.withdrawn';
      expect(rows).toEqual([{ action: expected }]);
    }
  });

  it('returns 409 to a member and keeps the invite', async () => {
    const home = await createCompany(world);
    const { body } = await invite(home, 'two@example.org');
    const owner = { id: home.owner.operatorId, email: 'two@example.org', name: 'Two' };
    expect((await redeem(body.token, owner)).body.code).toBe('already_member');
    expect(await find(body.token)).not.toBeNull();
  });

  it('is open to the auth service only', async () => {
    const home = await createCompany(world);
    await createAgent(home);
    for (const caller of [home.owner, serviceCaller('gateway'), null]) {
      const response = await as(world.app, caller).post('/internal/invites/redeem').send({});
      expect(response.status).toBe(401);
    }
  });
});

describe('an invite of a viewer with folders', () => {
  const grants = [{ folder: 'sales', scope: 'read', mode: 'direct' }];
  const inviteViewer = (home: TestCompany, body: object) =>
    as(world.app, home.owner)
      .post(`/api/companies/${home.id}/invites`)
      .send({ email: `${newId()}@example.org`, role: 'viewer', ...body });

  it('makes a member who reaches these from the moment of joining, also when accepting is repeated', async () => {
    const home = await createCompany(world);
    const created = await inviteViewer(home, { grants });
    expect([created.status, created.body.grants]).toEqual([201, grants]);
    const listed = await as(world.app, home.owner).get(`/api/companies/${home.id}/invites`);
    expect(listed.body.items).toMatchObject([{ role: 'viewer', grants }]);
    const person = personOf(created.body.email);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const redeemed = await redeem(created.body.token, person);
      expect(redeemed.body.membership).toMatchObject({ role: 'viewer', grants });
    }
    const members = await as(world.app, home.owner).get(`/api/companies/${home.id}/members`);
    expect(members.body.items).toContainEqual(
      expect.objectContaining({ operatorId: person.id, role: 'viewer', grants }),
    );
  });

  it('is stored with a role that the release before does not take for a viewer', async () => {
    const home = await createCompany(world);
    const { body } = await inviteViewer(home, { grants });
    const [stored] = await world.sql(`select role from agents.invites where id = '${body.id}'`);
    expect(stored).toEqual({ role: 'granted_viewer' });
  });

  it('is for viewers only, and of all notes without a list', async () => {
    const home = await createCompany(world);
    const refused = await inviteViewer(home, { grants, role: 'operator' });
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    const whole = await inviteViewer(home, { grants: null });
    expect([whole.status, whole.body.grants]).toEqual([201, null]);
    const none = await inviteViewer(home, { grants: [] });
    const redeemed = await redeem(none.body.token, personOf(none.body.email));
    expect(redeemed.body.membership.grants).toEqual([]);
  });
});
