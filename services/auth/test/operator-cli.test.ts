import { as } from '@commonplace/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOperatorCommand, UsageError } from '../src/cli/run-operator-command.ts';
import {
  cookieFor,
  createWorld,
  logIn,
  password,
  verify,
  type World,
} from './support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** `main.test.ts` tests the command with other peppers. */
const assertKnownPeppers = async () => undefined;

const run = async (words: readonly string[], given: string | null = null): Promise<string[]> => {
  const lines: string[] = [];
  const readPassword = async () => given;
  await runOperatorCommand(
    { ...world.deps, assertKnownPeppers, readPassword, print: (line) => void lines.push(line) },
    words,
  );
  return lines;
};

describe('pnpm operator', () => {
  it('create: the first is an administrator, the next is not, and both can sign in', async () => {
    expect(await run(['create', 'First@example.org'], password)).toEqual([
      'Created first@example.org, the first operator and an administrator.',
    ]);
    expect(await run(['create', 'second@example.org'], password)).toEqual([
      'Created second@example.org.',
    ]);
    await cookieFor(world.app, 'first@example.org');
    await cookieFor(world.app, 'second@example.org');
  });

  it('create: generates a password if none is given and prints it once', async () => {
    const [line = ''] = await run(['create', 'made@example.org']);
    const made = /shown only now: (.+)$/.exec(line)?.[1];
    await logIn(world.app, { email: 'made@example.org', password: made }).expect(200);
  });

  it('create: rejects a weak password and an email in use', async () => {
    await expect(run(['create', 'weak@example.org'], 'short')).rejects.toMatchObject({
      code: 'weak_password',
    });
    await expect(run(['create', 'first@example.org'], password)).rejects.toMatchObject({
      code: 'operator_exists',
    });
  });

  it('create: prints no password when the account is not created', async () => {
    const lines: string[] = [];
    const deps = {
      ...world.deps,
      assertKnownPeppers,
      print: (line: string) => void lines.push(line),
    };
    const creation = runOperatorCommand({ ...deps, readPassword: async () => null }, [
      'create',
      'first@example.org',
    ]);
    await expect(creation).rejects.toMatchObject({ code: 'operator_exists' });
    expect(lines).toEqual([]);
  });

  it('disable and enable: end the sessions, and keep the last administrator', async () => {
    const cookie = await cookieFor(world.app, 'second@example.org');
    await run(['disable', 'second@example.org']);
    expect(await verify(world.app, cookie)).toBeNull();
    await run(['enable', 'second@example.org']);
    await cookieFor(world.app, 'second@example.org');
    await expect(run(['disable', 'first@example.org'])).rejects.toMatchObject({
      code: 'last_administrator',
    });
  });

  it('make-admin: promotes', async () => {
    await run(['make-admin', 'second@example.org']);
    const cookie = await cookieFor(world.app, 'second@example.org');
    expect(await verify(world.app, cookie)).toMatchObject({ isAdmin: true });
  });

  it('reset-password: sets a new password and ends the sessions', async () => {
    const cookie = await cookieFor(world.app, 'second@example.org');
    await run(['reset-password', 'second@example.org'], 'quiet harbours at dawn');
    expect(await verify(world.app, cookie)).toBeNull();
    await logIn(world.app, { email: 'second@example.org', password }).expect(401);
    const body = { email: 'second@example.org', password: 'quiet harbours at dawn' };
    await logIn(world.app, body).expect(200);
  });

  it('reset-password: removes what somebody else may have planted, and says so', async () => {
    const { id } = await world.operator('planted@example.org');
    const cookie = await cookieFor(world.app, 'planted@example.org');
    await world.sql(
      `insert into auth.passkeys (id, operator_id, credential_id, public_key, counter, is_backed_up,
                                  transports, name, created_at)
       values (gen_random_uuid(), $1, 'planted', '', 0, false, '{}', 'Phone', now())`,
      [id],
    );
    expect(await run(['reset-password', 'planted@example.org'], 'quiet harbours at dawn')).toEqual([
      'Changed the password of planted@example.org. ' +
        'Removed sessions: 1, passkeys: 1, linked identities: 0, authenticator app: none.',
    ]);
    expect(await verify(world.app, cookie)).toBeNull();
    expect(await world.sql('select from auth.passkeys where operator_id = $1', [id])).toEqual([]);
  });

  it('handover: prints a link that takes the account once, and the former password is void', async () => {
    const email = 'handed@example.org';
    await world.operator(email);
    const lines = (await run(['handover', email])).join('\n');
    expect(lines).toContain('Its password is void.');
    const token = /\/handover#token=([\w-]{43})/.exec(lines)?.[1];
    await logIn(world.app, { email, password }).expect(401);
    const body = { token, password: 'quiet harbours at dawn' };
    await as(world.app, null).post('/api/auth/handovers/accept').send(body).expect(200);
    await as(world.app, null).post('/api/auth/handovers/accept').send(body).expect(401);
  });

  it('peppers: lists operators whose passwords need an old pepper until they sign in', async () => {
    const [none] = await run(['peppers']);
    expect(none).toBe('Every password is hashed with the first pepper; the others can be removed.');
    await world.sql(`update auth.operators set pepper_id = 'former' where email like 'made@%'`);
    const [one] = await run(['peppers']);
    expect(one).toBe('Hashed with an old pepper until they sign in: made@example.org');
  });

  it('peppers: counts the authenticator apps that need an old secret', async () => {
    const [, none] = await run(['peppers']);
    expect(none).toMatch(/^Every authenticator app is encrypted with the first/);
    const { id } = await world.operator('old-app@example.org');
    await world.sql(
      `insert into auth.totp_factors (operator_id, sealed_secret, key_id, created_at, confirmed_at)
       values ($1, 'sealed', 'former', now(), now())`,
      [id],
    );
    expect((await run(['peppers']))[1]).toMatch(/than the first: 1$/);
    await world.sql('delete from auth.totp_factors where operator_id = $1', [id]);
  });

  it('prints its usage, and reports an unknown operator', async () => {
    const mistakes = [
      [],
      ['create'],
      ['peppers', 'a@example.org'],
      ['create', 'nobody'],
      ['constructor', 'a@example.org'],
      ['disable', 'a@example.org', 'b@example.org'],
    ];
    for (const words of mistakes) {
      await expect(run(words)).rejects.toThrow(UsageError);
    }
    await expect(run(['disable', 'nobody@example.org'])).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('reset-second-factor: removes apps and passkeys, ends the sessions, and keeps the password', async () => {
    const email = 'lost@example.org';
    const { id } = await world.operator(email);
    const cookie = await cookieFor(world.app, email);
    await world.sql(
      `insert into auth.totp_factors (operator_id, sealed_secret, key_id, created_at, confirmed_at)
       values ($1, 'sealed', 'key', now(), now())`,
      [id],
    );
    await world.sql(
      `insert into auth.passkeys (id, operator_id, credential_id, public_key, counter, is_backed_up,
                                  transports, name, created_at)
       values (gen_random_uuid(), $1, 'credential', '', 0, false, '{}', 'Phone', now())`,
      [id],
    );
    await logIn(world.app, { email, password }).expect(401);
    expect(await run(['reset-second-factor', email])).toEqual([
      'Removed sessions: 1, passkeys: 1, linked identities: 0, authenticator app: yes. The password stays.',
    ]);
    expect(await verify(world.app, cookie)).toBeNull();
    await logIn(world.app, { email, password }).expect(200);
    expect(await world.sql('select from auth.passkeys where operator_id = $1', [id])).toEqual([]);
  });
});
