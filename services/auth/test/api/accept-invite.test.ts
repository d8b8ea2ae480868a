import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, testIdentity } from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import { inviteLimit } from '../../src/policy/login-limits.ts';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  verify,
  type World,
} from '../support/auth-world.ts';

const { verifyIdentity } = testIdentity;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const accept = (body: object, cookie?: string, app = world.app) => {
  const call = as(app, null).post('/api/auth/invites/accept');
  return (cookie === undefined ? call : call.set('cookie', cookie)).send(body);
};
const countOf = async (email: string) =>
  (await world.sql('select from auth.operators where email = $1', [email])).length;

describe('an invite that is read', () => {
  const describeInvite = (token: string) =>
    as(world.app, null).post('/api/auth/invites/describe').send({ token });

  it('says its company, who invited whom, and the role, and stays as it is', async () => {
    const inviter = await world.operator('inviter@example.org');
    const token = world.agents.invite('curious@example.org', inviter.id);
    const expected = {
      companyName: 'Acme',
      inviterName: 'Olga',
      email: 'curious@example.org',
      role: 'operator',
      grants: null,
      isUsed: false,
    };
    expect((await describeInvite(token).expect(200)).body).toEqual(expected);
    expect((await describeInvite(token).expect(200)).body).toEqual(expected);
    await accept({ token, name: 'Nora', password }).expect(200);
  });

  it('says which folders it reaches', async () => {
    const grants = [{ folder: 'lab', scope: 'read', mode: 'direct' } as const];
    const token = world.agents.invite('limited@example.org', undefined, grants);
    expect((await describeInvite(token).expect(200)).body).toMatchObject({ grants });
  });

  it('is limited by address together with accepting, before anything is looked up', async () => {
    const from = (address: string, path: string, token: string) =>
      as(world.app, null)
        .post(`/api/auth/invites/${path}`)
        .set('x-client-address', address)
        .send({ token });
    const token = world.agents.invite('sought@example.org');
    for (let attempt = 0; attempt < inviteLimit.attemptsMax; attempt += 1) {
      const path = attempt % 2 === 0 ? 'describe' : 'accept';
      await from('198.51.100.7', path, `guess ${attempt}`).expect(401);
    }
    for (const path of ['describe', 'accept']) {
      const { body, headers } = await from('198.51.100.7', path, token);
      expect(body).toMatchObject({ status: 429, code: 'login_throttled' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    await from('203.0.113.7', 'describe', token).expect(200);
    world.passSeconds(inviteLimit.windowSeconds);
    await from('198.51.100.7', 'describe', token).expect(200);
  });

  it('names nobody if the agents service does not, and is 401 once the invite is gone', async () => {
    const token = world.agents.invite('late@example.org');
    expect((await describeInvite(token).expect(200)).body).toMatchObject({ inviterName: null });
    await accept({ token, name: 'Nora', password }).expect(200);
    const { body } = await describeInvite(token).expect(401);
    expect(body).toMatchObject({ code: 'invalid_one_time_token' });
  });
});

describe('a new email', () => {
  it('200: creates an operator and a member, and signs in', async () => {
    const token = world.agents.invite('new@example.org');
    const response = await accept({ token, name: 'Nora', password }).expect(200);
    expect(response.body).toEqual({
      operator: {
        id: expect.any(String),
        email: 'new@example.org',
        name: 'Nora',
        isAdmin: false,
      },
      membership: {
        companyId: expect.any(String),
        companyName: 'Acme',
        role: 'operator',
        grants: null,
      },
    });
    expect(await verify(world.app, cookieOf(response) ?? '')).toMatchObject({ name: 'Nora' });
    await logIn(world.app, { email: 'new@example.org', password }).expect(200);
  });

  it('400 for a missing name or password, 422 for a weak password, and no account is created', async () => {
    const token = world.agents.invite('fields@example.org');
    const response = await accept({ token, name: 'Nora' }).expect(400);
    const { errors } = response.body as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual(['/password']);
    await accept({ token }).expect(401);
    await accept({ token, name: 'Nora', password: 'short' }).expect(422);
    await accept({ token, name: 'Nora', password, role: 'owner' }).expect(400);
    expect(await countOf('fields@example.org')).toBe(0);
    await accept({ token, name: 'Nora', password }).expect(200);
  });

  it('never becomes the first operator', async () => {
    const fresh = await createWorld();
    try {
      const token = fresh.agents.invite('guest@example.org');
      const { body } = await accept({ token, name: 'Guest', password }, undefined, fresh.app);
      expect(body).toMatchObject({ operator: { isAdmin: false } });
      const first = await fresh.operator('first@example.org');
      expect(first.isAdmin).toBe(true);
    } finally {
      await fresh.close();
    }
  });

  it('continues after the agents service was unavailable halfway', async () => {
    const token = world.agents.invite('stopped@example.org');
    const body = { token, name: 'Nora', password };
    world.agents.state.isUnavailable = true;
    const interrupted = await accept(body).expect(503);
    world.agents.state.isUnavailable = false;
    const cookie = cookieOf(interrupted);
    expect(cookie).toBeDefined();
    await accept(body, cookie).expect(200);
    expect(await countOf('stopped@example.org')).toBe(1);
  });

  it('continues after signing in if the cookie of the failed response was lost', async () => {
    const token = world.agents.invite('lost@example.org');
    const body = { token, name: 'Nora', password };
    world.agents.state.isUnavailable = true;
    await accept(body).expect(503);
    world.agents.state.isUnavailable = false;
    await accept(body).expect(401);
    await accept({ token }, await cookieFor(world.app, 'lost@example.org')).expect(200);
  });

  it('leaves no account if the invite is deleted concurrently', async () => {
    const token = world.agents.invite('withdrawn@example.org');
    world.agents.state.rejectsRedeem = true;
    const response = await accept({ token, name: 'Nora', password });
    world.agents.state.rejectsRedeem = false;
    expect(response.body).toMatchObject({ status: 401, code: 'invalid_one_time_token' });
    expect(cookieOf(response)).toBeUndefined();
    expect(await countOf('withdrawn@example.org')).toBe(0);
  });

  it('creates one account for concurrent requests with one invite', async () => {
    const token = world.agents.invite('twice@example.org');
    const responses = await Promise.all(
      [1, 2, 3].map(() => accept({ token, name: 'Nora', password })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(2);
    expect(await countOf('twice@example.org')).toBe(1);
  });
});

describe('an existing account', () => {
  it('200 while signed in; name and password of the request change nothing', async () => {
    await world.operator('known@example.org');
    const cookie = await cookieFor(world.app, 'known@example.org');
    const token = world.agents.invite('known@example.org');
    const body = { token, name: 'Else', password: 'quiet harbours at dawn' };
    const response = await accept(body, cookie).expect(200);
    expect(response.body).toMatchObject({ operator: { name: 'Olga' } });
    expect(cookieOf(response)).toBeUndefined();
    await logIn(world.app, { email: 'known@example.org', password }).expect(200);
  });

  it('401 for the token alone, even with the right password, and as another operator', async () => {
    await world.operator('target@example.org');
    await world.operator('else@example.org');
    const token = world.agents.invite('target@example.org');
    const other = await cookieFor(world.app, 'else@example.org');
    for (const cookie of [undefined, other, 'commonplace.sid=s%3Aforged.signature']) {
      const response = await accept({ token, name: 'Eve', password }, cookie);
      expect(response.body).toMatchObject({ status: 401, code: 'sign_in_first' });
      expect(cookieOf(response)).toBeUndefined();
    }
  });

  it('401 with a session that has idled out', async () => {
    await world.operator('idle@example.org');
    const cookie = await cookieFor(world.app, 'idle@example.org');
    const token = world.agents.invite('idle@example.org');
    world.passSeconds(60 * 60);
    await accept({ token }, cookie).expect(401);
  });
});

describe('an invite', () => {
  it('does not reveal whether its email has an account, with passwords or without', async () => {
    await world.operator('has-account@example.org');
    const known = world.agents.invite('has-account@example.org');
    const unknown = world.agents.invite('has-none@example.org');
    const responsesTo = async (token: string) => {
      const found: unknown[] = [];
      const bodies = [{}, { name: 'Eve' }, { password }, { name: 'Eve', password: 'short' }];
      for (const app of [
        world.app,
        createApp({ ...world.depsWith(), isLocalLogin: false, verifyIdentity }),
      ]) {
        for (const body of bodies) {
          const response = await accept({ token, ...body }, undefined, app);
          const { requestId: _own, ...problem } = response.body as { requestId: string };
          found.push(problem);
        }
      }
      return found;
    };
    expect(await responsesTo(known)).toEqual(await responsesTo(unknown));
  });

  it('leaves a failed sign-in in the history of an account that somebody tries to make again', async () => {
    const { id } = await world.operator('tried@example.org');
    const token = world.agents.invite('tried@example.org');
    await accept({ token, name: 'Eve', password }).expect(401);
    expect(
      await world.sql('select method, outcome from auth.sign_ins where operator_id = $1', [id]),
    ).toEqual([{ method: 'invite', outcome: 'failure' }]);
  });
});

describe('other errors', () => {
  it('401 for a token that is unknown or used', async () => {
    const token = world.agents.invite('once@example.org');
    await accept({ token, name: 'Nora', password }).expect(200);
    for (const invalid of [token, 'unknown']) {
      const response = await accept({ token: invalid, name: 'Nora', password });
      expect(response.body).toMatchObject({ status: 401, code: 'invalid_one_time_token' });
    }
  });

  it('409 in local trusted mode', async () => {
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await accept({ token: 'any' }, undefined, app);
    expect(response.body).toMatchObject({ status: 409, code: 'local_trusted' });
  });
});
