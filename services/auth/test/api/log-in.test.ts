import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPasswords } from '../../src/passwords/passwords.ts';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  pepper,
  sessionIdIn,
  setCookiesOf,
  verify,
  type World,
} from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('200', () => {
  it('returns the operator and starts a session', async () => {
    const { id } = await world.operator('first@example.org');
    const response = await logIn(world.app, { email: 'First@Example.org ', password });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      operator: { id, email: 'first@example.org', name: 'Olga', isAdmin: true },
    });
    expect(await verify(world.app, cookieOf(response) ?? '')).toMatchObject({ operatorId: id });
  });

  it('sets cookies that no script can read, and a session that no other site can send', async () => {
    await world.operator('cookie@example.org');
    const response = await logIn(world.app, { email: 'cookie@example.org', password });
    expect(setCookiesOf(response)).toEqual([
      expect.stringMatching(/^commonplace\.sid=s%3A[^;]+; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(
        /^commonplace\.device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('binds the cookies to host and HTTPS if browsers use HTTPS', async () => {
    await world.operator('https@example.org');
    const app = world.appWith({ isHttps: true });
    const response = await logIn(app, { email: 'https@example.org', password });
    expect(setCookiesOf(response)).toEqual([
      expect.stringMatching(
        /^__Host-commonplace\.sid=s%3A[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^__Host-commonplace\.device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('ends the previous session of the browser, and never adopts an id it sends', async () => {
    await world.operator('again@example.org');
    const former = await cookieFor(world.app, 'again@example.org');
    const response = await logIn(world.app, { email: 'again@example.org', password }).set(
      'cookie',
      former,
    );
    const cookie = cookieOf(response) ?? '';
    expect(sessionIdIn(cookie)).not.toBe(sessionIdIn(former));
    expect(await verify(world.app, former)).toBeNull();
    expect(await verify(world.app, cookie)).not.toBeNull();
  });

  it('hashes the password again with the current pepper and cost', async () => {
    const { id } = await world.operator('rehash@example.org');
    const newPepper = 'test-only-newer-password-pepper-32-bytes';
    const passwords = { peppers: [newPepper, pepper], cost: 5 } as const;
    const app = world.appWith({ passwords: { ...passwords, peppers: [newPepper, pepper] } });
    await logIn(app, { email: 'rehash@example.org', password }).expect(200);
    const [row] = await world.sql(
      'select password_hash as hash, pepper_id from auth.operators where id = $1',
      [id],
    );
    const current = createPasswords({ peppers: [newPepper], cost: 5 });
    const stored = { hash: String(row?.['hash']), pepperId: String(row?.['pepper_id']) };
    expect(await current.verify(password, stored)).toEqual({ isMatch: true, isOutdated: false });
    await logIn(app, { email: 'rehash@example.org', password }).expect(200);
  });
});

describe('401', () => {
  it('is the same for a wrong password, an unknown email and a disabled account', async () => {
    const { id } = await world.operator('disabled@example.org');
    await world.operator('known@example.org');
    await world.sql('update auth.operators set disabled_at = now() where id = $1', [id]);
    const bodies = await Promise.all(
      [
        { email: 'known@example.org', password: 'not the right password' },
        { email: 'nobody@example.org', password },
        { email: 'disabled@example.org', password },
      ].map(async (body, index) => {
        const response = await logIn(world.app, body, `192.0.2.${10 + index}`);
        expect([response.status, setCookiesOf(response)]).toEqual([401, []]);
        return { ...(response.body as object), requestId: 'any' };
      }),
    );
    expect(bodies[0]).toMatchObject({ code: 'invalid_credentials' });
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });
});

describe('400', () => {
  it.each([
    ['no password', { email: 'a@example.org' }],
    ['a password that is no text', { email: 'a@example.org', password: 12 }],
    ['no email address', { email: 'nobody', password }],
    ['an unknown field', { email: 'a@example.org', password, remember: true }],
    ['a lone surrogate', { email: 'a@example.org', password: 'x\ud800' }],
    ['a NUL', { email: 'a@example.org', password: 'x\u0000' }],
    ['an endless password', { email: 'a@example.org', password: 'x'.repeat(1025) }],
  ])('for %s', async (_what, body) => {
    const response = await logIn(world.app, body);
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      400,
      'validation_failed',
    ]);
  });
});

describe('409', () => {
  it('in local trusted mode, where nobody signs in', async () => {
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await logIn(app, { email: 'first@example.org', password });
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      409,
      'local_trusted',
    ]);
  });
});
