import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import { secretNames, startSystem, type SystemOptions } from '@commonplace/standalone';
import { expect, it } from '@jest/globals';
import { createApi } from '../src/call-api.ts';
import { checkOutPrevious } from '../src/previous-release.ts';
import { signIn } from '../src/sign-in.ts';
import { administrator } from '../src/test-system.ts';

/** The first change of the schema for other ways to sign in than passwords. */
const firstMigration = 'services/auth/migrations/0006_add_sign_in_methods.ts';

it('an upgrade from passwords alone signs nobody out and requires no factor', async () => {
  const previous = await checkOutPrevious([firstMigration]);
  if ('why' in previous) {
    process.stderr.write(`The upgrade could not be tried: ${previous.why}.\n`);
    return;
  }
  const stops = [() => previous.remove()];
  try {
    const start = await starter(stops);
    const before = await start({ servicesDir: join(previous.folder, 'services') });
    const { cookie = '' } = await signIn({ baseUrl: before.baseUrl, ...administrator });
    const statusAt = async (baseUrl: string, path: string): Promise<number> =>
      (await createApi({ baseUrl, headers: { cookie, origin: baseUrl } })('GET', path)).status;
    expect(await statusAt(before.baseUrl, '/api/auth/session')).toBe(200);

    const { baseUrl } = await start({});
    const paths = ['/api/auth/session', '/api/companies', '/api/auth/sessions'];
    for (const path of paths) {
      expect([path, await statusAt(baseUrl, path)]).toEqual([path, 200]);
      expect([path, await statusAt(before.baseUrl, path)]).toEqual([path, 200]);
    }
    await before.stop();
    const api = createApi({ baseUrl, headers: { cookie, origin: baseUrl } });
    const { body } = await api('GET', '/api/auth/factors');
    expect(body).toMatchObject({ totp: null, passkeys: 0, isRequired: false });
    const again = await signIn({ baseUrl, ...administrator });
    expect((await createApi({ baseUrl, headers: again })('GET', '/api/companies')).status).toBe(
      200,
    );
    expect((await api('POST', '/api/auth/logout')).status).toBe(204);
  } finally {
    for (const stop of stops.toReversed()) {
      await stop();
    }
  }
}, 240_000);

/** Starts systems with the same secrets on one database. */
const starter = async (stops: (() => Promise<void>)[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-upgrade-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'database'), fsync: false });
  stops.push(() => postgres.stop());
  const secrets = Object.fromEntries(
    secretNames.map((name) => [name, randomBytes(32).toString('base64url')]),
  );
  return async (more: Partial<SystemOptions>) => {
    const system = await startSystem({
      dataDir: await mkdtemp(join(folder, 'system-')),
      mode: 'authenticated',
      databaseUrl: postgres.url,
      output: () => undefined,
      env: {
        ...secrets,
        LOG_LEVEL: 'error',
        BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
        BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
      },
      ...more,
    });
    stops.push(() => system.stop());
    return system;
  };
};
