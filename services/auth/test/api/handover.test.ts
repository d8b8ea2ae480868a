import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { as } from '@commonplace/testkit';
import { up as addBeginner } from '../../migrations/0016_add_beginner_of_handover.ts';
import { findAccountOfIdentity } from '../../src/commands/find-account-of-identity.ts';
import type { ProvenIdentity } from '../../src/oidc/read-claims.ts';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';

let world: World;
let administrator: Awaited<ReturnType<typeof withCookie>>;
beforeAll(async () => {
  world = await createWorld();
  await world.operator('first@example.org');
  administrator = await withCookie(world.app, await cookieFor(world.app, 'first@example.org'));
});
afterAll(() => world.close());

const chosen = 'quiet harbours at dawn';

/** An owner invites another person's email, accepts the invite, and adds what signs the owner in. */
const planted = async (email: string) => {
  const token = world.agents.invite(email);
  const response = await as(world.app, null)
    .post('/api/auth/invites/accept')
    .send({ token, name: 'Not Me', password })
    .expect(200);
  const { id } = (response.body as { operator: { id: string } }).operator;
  await world.sql(
    `insert into auth.passkeys (id, operator_id, credential_id, public_key, counter, is_backed_up,
                                transports, name, created_at)
     values (gen_random_uuid(), $1, $2, '', 0, false, '{}', 'Phone', now())`,
    [id, `credential of ${email}`],
  );
  await world.sql(
    `insert into auth.identities (id, operator_id, issuer, subject, created_at)
     values (gen_random_uuid(), $1, 'https://provider.example', $2, now())`,
    [id, `eve as ${email}`],
  );
  return { id, email, cookie: cookieOf(response) ?? '' };
};

const startHandover = (id: string) => administrator.call.post(`/api/auth/operators/${id}/handover`);
const take = (body: object) => as(world.app, null).post('/api/auth/handovers/accept').send(body);

const tokenOf = async (id: string): Promise<string> =>
  ((await startHandover(id).expect(201)).body as { token: string }).token;

const isVerified = async (email: string): Promise<boolean | undefined> => {
  const { body } = await administrator.call.get('/api/auth/operators?limit=200').expect(200);
  const { items } = body as { items: { email: string; emailVerified: boolean }[] };
  return items.find((item) => item.email === email)?.emailVerified;
};

const proven = (email: string, more: Partial<ProvenIdentity> = {}): ProvenIdentity => ({
  issuer: 'https://provider.example',
  subject: newId(),
  email,
  isEmailVerified: true,
  name: null,
  amr: [],
  sid: null,
  authenticatedAt: null,
  idToken: null,
  ...more,
});

const signInAs = (identity: ProvenIdentity) =>
  findAccountOfIdentity(world.deps, {
    proven: identity,
    purpose: { kind: 'sign_in' },
    allowedDomains: ['example.org'],
    requestId: 'request',
  });

describe('the handover of an account', () => {
  const describeIt = (token: string) =>
    as(world.app, null).post('/api/auth/handovers/describe').send({ token });
  const endOf = async (email: string): Promise<string | null | undefined> => {
    const { body } = await administrator.call.get('/api/auth/operators?limit=200').expect(200);
    const { items } = body as { items: { email: string; handoverExpiresAt: string | null }[] };
    return items.find((item) => item.email === email)?.handoverExpiresAt;
  };

  it('is shown until it is taken, to administrators and by its token', async () => {
    const { id, email } = await planted('shown@example.org');
    expect(await endOf(email)).toBeNull();
    const { body } = await startHandover(id).expect(201);
    const { token, expiresAt } = body as { token: string; expiresAt: string };
    expect(await endOf(email)).toBe(expiresAt);
    expect((await describeIt(token).expect(200)).body).toEqual({ email });
    const { body: unknown } = await describeIt('x'.repeat(43)).expect(401);
    await take({ token, password: chosen }).expect(200);
    expect(await endOf(email)).toBeNull();
    const { body: used } = await describeIt(token).expect(401);
    const { body: disabled } = await describeIt(await disabledToken()).expect(401);
    for (const problem of [used, disabled]) {
      expect({ ...problem, requestId: '' }).toEqual({ ...unknown, requestId: '' });
    }
  });

  const disabledToken = async (): Promise<string> => {
    const { id } = await planted('off@example.org');
    const token = await tokenOf(id);
    await administrator.call
      .patch(`/api/auth/operators/${id}`)
      .send({ disabled: true })
      .expect(200);
    return token;
  };
});

describe('an account that was registered with the email of another person', () => {
  it('is unverified, and a handover evicts everything that was planted before its person takes it', async () => {
    const { id, email, cookie } = await planted('ceo@example.org');
    expect(await isVerified(email)).toBe(false);
    const { body } = await startHandover(id).expect(201);
    expect(body).toMatchObject({
      url: expect.stringMatching(/^http:\/\/localhost\/handover#token=[\w-]{43}$/),
      evicted: { sessions: 1, passkeys: 1, identities: 1, authenticatorApp: false, password: true },
    });
    expect(await verify(world.app, cookie)).toBeNull();
    await logIn(world.app, { email, password }).expect(401);
    for (const table of ['passkeys', 'identities', 'known_devices', 'sessions']) {
      expect(await world.sql(`select from auth.${table} where operator_id = $1`, [id])).toEqual([]);
    }
    const { token } = body as { token: string };
    await take({ token, password: 'short' }).expect(422);
    const taken = await take({ token, password: chosen }).expect(200);
    expect(await verify(world.app, cookieOf(taken) ?? '')).toMatchObject({ email });
    expect(await isVerified(email)).toBe(true);
    const again = await take({ token, password: chosen });
    expect(again.body).toMatchObject({ status: 401, code: 'invalid_one_time_token' });
    await logIn(world.app, { email, password: chosen }).expect(200);
  });

  it('is taken by the verified email of the provider only once an administrator handed it over', async () => {
    const { id, email } = await planted('cfo@example.org');
    await expect(signInAs(proven(email))).rejects.toMatchObject({ code: 'oidc_account_exists' });
    await startHandover(id).expect(201);
    await expect(signInAs(proven(email, { isEmailVerified: false }))).rejects.toMatchObject({
      code: 'oidc_email_unverified',
    });
    expect((await signInAs(proven(email))).operator.id).toBe(id);
    expect(await isVerified(email)).toBe(true);
    await expect(signInAs(proven(email))).rejects.toMatchObject({ code: 'oidc_account_exists' });
  });

  it('is verified when the provider confirms the email of a linked identity', async () => {
    const { email } = await planted('cto@example.org');
    const subject = `eve as ${email}`;
    await signInAs(proven('eve@example.org', { subject }));
    expect(await isVerified(email)).toBe(false);
    await signInAs(proven(email, { subject }));
    expect(await isVerified(email)).toBe(true);
  });
});

describe('the token of a handover', () => {
  it('ends after seven days, with the next handover, and with a disabled account', async () => {
    const { id } = await planted('coo@example.org');
    const replaced = await tokenOf(id);
    const token = await tokenOf(id);
    await take({ token: replaced, password: chosen }).expect(401);
    await world.sql('update auth.operators set disabled_at = now() where id = $1', [id]);
    await take({ token, password: chosen }).expect(401);
    await world.sql('update auth.operators set disabled_at = null where id = $1', [id]);
    await world.sql(
      `update auth.account_handovers set expires_at = expires_at - interval '7 days'`,
    );
    await take({ token, password: chosen }).expect(401);
  });

  it('works once for ten requests at the same time', async () => {
    const { id } = await planted('race@example.org');
    const token = await tokenOf(id);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => take({ token, password: chosen })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the links of an administrator', () => {
  const end = {
    'is disabled': (id: string) =>
      administrator.call.patch(`/api/auth/operators/${id}`).send({ disabled: true }).expect(200),
    'is no administrator any more': (id: string) =>
      administrator.call.patch(`/api/auth/operators/${id}`).send({ isAdmin: false }).expect(200),
    'has a handover': (id: string) => startHandover(id).expect(201),
  };

  it.each(Object.entries(end))('end when the administrator %s', async (title, endAccess) => {
    const { id } = await planted(`target.${title.replaceAll(' ', '.')}@example.org`);
    const begun = await planted(`former.${title.replaceAll(' ', '.')}@example.org`);
    await administrator.call
      .patch(`/api/auth/operators/${begun.id}`)
      .send({ isAdmin: true })
      .expect(200);
    const { call } = await withCookie(world.app, begun.cookie);
    const { body } = await call.post(`/api/auth/operators/${id}/handover`).expect(201);
    await endAccess(begun.id);
    const { token } = body as { token: string };
    const response = await take({ token, password: chosen });
    expect(response.body).toMatchObject({ status: 401, code: 'invalid_one_time_token' });
    await take({ token: await tokenOf(id), password: chosen }).expect(200);
  });

  it('get their administrator from the audit log at the upgrade', async () => {
    const { id } = await planted('upgraded@example.org');
    const token = await tokenOf(id);
    await world.sql('alter table auth.account_handovers drop column begun_by');
    const db = { raw: (statement: string) => world.sql(statement) };
    await Promise.all([addBeginner(db), addBeginner(db)]);
    await addBeginner(db);
    expect(
      await world.sql('select begun_by from auth.account_handovers where operator_id = $1', [id]),
    ).toEqual([{ begun_by: administrator.caller.operatorId }]);
    await take({ token, password: chosen }).expect(200);
  });
});

describe('a handover', () => {
  it('is for administrators, with a recent sign-in, and not for the own account', async () => {
    const { id, cookie } = await planted('rights@example.org');
    const { caller } = administrator;
    const own = await startHandover(caller.operatorId);
    expect(own.body).toMatchObject({ status: 409, code: 'own_account' });
    const { call } = await withCookie(world.app, cookie);
    await call.post(`/api/auth/operators/${caller.operatorId}/handover`).expect(403);
    await startHandover(newId()).expect(404);
    await world.sql(
      `update auth.sessions set authenticated_at = authenticated_at - interval '16 minutes'
        where id = $1`,
      [caller.sessionId],
    );
    const late = await startHandover(id);
    expect(late.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
  });
});

describe('the audit log of the instance', () => {
  type Entry = { action: string; actor: { kind: string }; operator: { email: string } };
  const entriesFor = async (call: typeof administrator.call, query = '') =>
    (
      (await call.get(`/api/instance/activity?limit=200${query}`).expect(200)).body as {
        items: Entry[];
      }
    ).items;

  it('has every change of an account for administrators, and for others what concerns them', async () => {
    const { id, email } = await planted('audited@example.org');
    const token = await tokenOf(id).catch(async () => {
      await administrator.call.post('/api/auth/reauthenticate').send({ password }).expect(204);
      return tokenOf(id);
    });
    const cookie = cookieOf(await take({ token, password: chosen }).expect(200)) ?? '';
    const { call } = await withCookie(world.app, cookie);
    await call.put('/api/auth/password').send({ currentPassword: chosen, newPassword: password });
    for (let count = 0; count < 3; count += 1) {
      const fresh = await withCookie(world.app, await cookieFor(world.app, email));
      await fresh.call.post('/api/auth/reauthenticate').send({ password }).expect(204);
    }
    await administrator.call
      .patch(`/api/auth/operators/${id}`)
      .send({ disabled: true })
      .expect(200);
    await administrator.call
      .patch(`/api/auth/operators/${id}`)
      .send({ disabled: false })
      .expect(200);
    const all = await entriesFor(administrator.call, `&operatorId=${id}`);
    const log = all.map(({ action, actor }) => `${action} by ${actor.kind}`);
    expect(log).toEqual([
      'operator.enabled by operator',
      'operator.disabled by operator',
      'session.reauthenticated by operator',
      'password.changed by operator',
      'handover.taken by operator',
      'handover.begun by operator',
      'operator.created by operator',
    ]);
    const own = await withCookie(world.app, await cookieFor(world.app, email));
    const seen = await entriesFor(own.call);
    expect(seen.map(({ action }) => action)).toEqual(all.map(({ action }) => action));
    expect(seen.every(({ operator }) => operator.email === email)).toBe(true);
    const others = await entriesFor(own.call, `&operatorId=${administrator.caller.operatorId}`);
    expect(others).toEqual([]);
  });

  it('pages without losing or repeating an entry', async () => {
    const all = await entriesFor(administrator.call);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await administrator.call.get(`/api/instance/activity?limit=5${after}`);
      const page = body as { items: { id: string }[]; nextCursor: string | null };
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(found).toHaveLength(all.length);
    expect(new Set(found).size).toBe(all.length);
  });
});
