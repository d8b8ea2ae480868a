import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkOperatorContract, describeOperatorsContract, newId } from '@commonplace/contracts';
import {
  agentCaller,
  as,
  localOperatorCaller,
  operatorCaller,
  serviceCaller,
} from '@commonplace/testkit';
import {
  cookieFor,
  createWorld,
  logIn,
  password,
  verify,
  type World,
} from '../support/auth-world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const admin = () => as(world.app, localOperatorCaller());
const patch = (id: string, body: object) => admin().patch(`/api/auth/operators/${id}`).send(body);

describe('the list of operators', () => {
  it('returns administrators all operators by email in pages, without hashes', async () => {
    for (const name of ['carl', 'anna', 'bert']) {
      await world.operator(`${name}@example.org`);
    }
    await logIn(world.app, { email: 'anna@example.org', password }).expect(200);
    type Page = { items: { email: string }[]; nextCursor: string | null };
    const first = (await admin().get('/api/auth/operators?limit=2').expect(200)).body as Page;
    expect(first.items).toEqual([
      {
        id: expect.any(String),
        email: 'anna@example.org',
        emailVerified: true,
        name: 'Olga',
        isAdmin: false,
        disabled: false,
        createdAt: expect.any(String),
        lastSignInAt: world.deps.clock().toISOString(),
        handoverExpiresAt: null,
      },
      expect.objectContaining({ email: 'bert@example.org', lastSignInAt: null }),
    ]);
    const path = `/api/auth/operators?limit=2&cursor=${first.nextCursor}`;
    const second = (await admin().get(path).expect(200)).body as Page;
    expect(second.items.map(({ email }) => email)).toEqual(['carl@example.org']);
    expect(second.nextCursor).toBeNull();
  });

  it('has those whose name or email contains a text, in any case, also beyond the first page', async () => {
    for (const name of ['carl', 'anna', 'bert_100%', 'carla']) {
      await world.operator(`${name}@example.org`);
    }
    const emailsOf = async (query: string) => {
      const { body } = await admin().get(`/api/auth/operators?${query}`).expect(200);
      const page = body as { items: { email: string }[]; nextCursor: string | null };
      return { ...page, emails: page.items.map(({ email }) => email.split('@')[0]) };
    };
    const first = await emailsOf('q=CaRl&limit=1');
    const second = await emailsOf(`q=CaRl&limit=1&cursor=${first.nextCursor}`);
    expect([...first.emails, ...second.emails]).toEqual(['carl', 'carla']);
    expect((await emailsOf(`q=${encodeURIComponent('_100%')}`)).emails).toEqual(['bert_100%']);
    expect((await emailsOf('q=olga')).emails).toHaveLength(4);
    await admin().get(`/api/auth/operators?limit=1&cursor=${first.nextCursor}`).expect(400);
  });
});

describe('disabling an operator', () => {
  it('ends its sessions at once and prevents signing in', async () => {
    await world.operator('first@example.org');
    const { id } = await world.operator('out@example.org');
    const cookie = await cookieFor(world.app, 'out@example.org');
    const response = await patch(id, { disabled: true }).expect(200);
    expect(response.body).toMatchObject({ id, disabled: true });
    expect(await verify(world.app, cookie)).toBeNull();
    await logIn(world.app, { email: 'out@example.org', password }).expect(401);
    await patch(id, { disabled: false }).expect(200);
    expect(await verify(world.app, cookie)).toBeNull();
    await logIn(world.app, { email: 'out@example.org', password }).expect(200);
  });

  it('is idempotent, and an empty change changes nothing', async () => {
    await world.operator('first@example.org');
    const { id } = await world.operator('twice@example.org');
    await patch(id, { disabled: true }).expect(200);
    const again = await patch(id, { disabled: true }).expect(200);
    expect((await patch(id, {}).expect(200)).body).toEqual(again.body);
  });
});

describe('the last administrator', () => {
  it('can be neither disabled nor demoted: 409', async () => {
    const { id } = await world.operator('only@example.org');
    for (const change of [
      { disabled: true },
      { isAdmin: false },
      { disabled: true, isAdmin: true },
    ]) {
      const response = await patch(id, change);
      expect(response.body).toMatchObject({ status: 409, code: 'last_administrator' });
    }
    expect(await world.sql('select is_admin, disabled_at from auth.operators')).toEqual([
      { is_admin: true, disabled_at: null },
    ]);
  });

  it('is not replaced by a disabled administrator', async () => {
    const { id } = await world.operator('only@example.org');
    const second = await world.operator('second@example.org');
    await patch(second.id, { isAdmin: true, disabled: true }).expect(200);
    await patch(id, { isAdmin: false }).expect(409);
    await patch(second.id, { disabled: false }).expect(200);
    await patch(id, { isAdmin: false }).expect(200);
  });

  it('is not replaced by one whose account nobody can sign in to before its handover is taken', async () => {
    const { id } = await world.operator('only@example.org');
    const second = await world.operator('second@example.org');
    await patch(second.id, { isAdmin: true }).expect(200);
    const canSignIn = async () => {
      const response = await as(world.app, serviceCaller('agents'))
        .post(describeOperatorsContract.path)
        .send({ operatorIds: [id, second.id] });
      const { items } = response.body as { items: { operatorId: string; canSignIn: boolean }[] };
      return items.filter((item) => item.canSignIn).map(({ operatorId }) => operatorId);
    };
    const path = `/api/auth/operators/${second.id}/handover`;
    const { token } = (await admin().post(path).expect(201)).body as { token: string };
    expect(await canSignIn()).toEqual([id]);
    await patch(id, { isAdmin: false }).expect(409);
    await as(world.app, null)
      .post('/api/auth/handovers/accept')
      .send({ token, password: 'quiet harbours at dawn' })
      .expect(200);
    expect((await canSignIn()).toSorted()).toEqual([id, second.id].toSorted());
    await patch(id, { isAdmin: false }).expect(200);
  });

  it('remains when two demote each other concurrently', async () => {
    const first = await world.operator('one@example.org');
    const second = await world.operator('two@example.org');
    for (let round = 0; round < 5; round += 1) {
      await world.sql('update auth.operators set is_admin = true, disabled_at = null');
      const statuses = await Promise.all(
        [first.id, second.id].map(async (id) => (await patch(id, { disabled: true })).status),
      );
      expect(new Set(statuses)).toEqual(new Set([200, 409]));
    }
  });
});

describe('access', () => {
  it('401 without an identity, 403 for operators and agents, 200 for the local operator', async () => {
    const { id } = await world.operator('first@example.org');
    const path = `/api/auth/operators/${id}`;
    await as(world.app, null).get('/api/auth/operators').expect(401);
    await as(world.app, null).patch(path).expect(401);
    for (const caller of [operatorCaller(), agentCaller()]) {
      await as(world.app, caller).get('/api/auth/operators').expect(403);
      await as(world.app, caller).patch(path).send({ disabled: true }).expect(403);
    }
    await as(world.app, localOperatorCaller()).get('/api/auth/operators').expect(200);
  });

  it('404 for an unknown operator, 400 for an invalid id or body', async () => {
    await patch(newId(), { disabled: true }).expect(404);
    await patch('olga', { disabled: true }).expect(400);
    await patch(newId(), { disabled: 'yes' }).expect(400);
    await patch(newId(), { email: 'new@example.org' }).expect(400);
  });
});

describe('the check of an operator with background work', () => {
  it('reports disabled and unknown operators', async () => {
    await world.operator('administrator@example.org');
    const { id } = await world.operator('worker@example.org');
    const check = async (operatorId: string) =>
      (
        await as(world.app, serviceCaller('agents'))
          .post(checkOperatorContract.path)
          .send({ operatorId })
      ).body as unknown;
    expect(await check(id)).toMatchObject({ isActive: true, isAdministrator: false });
    await patch(id, { disabled: true }).expect(200);
    expect(await check(id)).toMatchObject({ isActive: false, isAdministrator: false });
    expect(await check(newId())).toMatchObject({ isActive: false, isAdministrator: false });
  });

  it('begins a new access epoch when it is disabled, so that nothing of the former one comes back', async () => {
    await world.operator('administrator@example.org');
    const { id } = await world.operator('worker@example.org');
    const epoch = async () =>
      (
        await as(world.app, serviceCaller('agents'))
          .post(checkOperatorContract.path)
          .send({ operatorId: id })
      ).body.accessEpoch as unknown;
    expect(await epoch()).toBe(0);
    await patch(id, { disabled: true }).expect(200);
    await patch(id, { disabled: true }).expect(200);
    await patch(id, { disabled: false }).expect(200);
    expect(await epoch()).toBe(1);
    await patch(id, { isAdmin: true }).expect(200);
    expect(await epoch()).toBe(1);
  });
});
