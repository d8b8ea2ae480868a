import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Environment } from '@commonplace/config';
import { operatorEnvironment } from './operator-environment.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'commonplace-operator-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const keepSecrets = () =>
  writeFile(
    join(dataDir, 'secrets.json'),
    JSON.stringify({ AUTH_DATABASE_PASSWORD: 'kept/password', PASSWORD_PEPPERS: 'kept-pepper' }),
  );

const runPostgres = async () => {
  await mkdir(join(dataDir, 'postgres', 'pgdata'), { recursive: true });
  const pidFile = join(dataDir, 'postgres', 'pgdata', 'postmaster.pid');
  await writeFile(pidFile, `4711\n/data\n1700000000\n54321\n/tmp\n127.0.0.1\n`);
};

describe('operatorEnvironment', () => {
  it('is what is there already for the role of the auth service', async () => {
    const url = 'postgres://auth_app:password@postgres:5432/commonplace';
    const file = join(dataDir, 'url');
    await writeFile(file, `${url}\n`);
    for (const env of [{ DATABASE_URL: url }, { DATABASE_URL_FILE: file }]) {
      expect(await operatorEnvironment(env)).toBe(env);
    }
  });

  it('finds the running PostgreSQL of a data directory and its secrets', async () => {
    await keepSecrets();
    await runPostgres();
    expect(await operatorEnvironment({ DATA_DIR: dataDir })).toEqual({
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgresql://auth_app:kept%2Fpassword@127.0.0.1:54321/postgres',
      PASSWORD_PEPPERS: 'kept-pepper',
      GATEWAY_URL: 'http://127.0.0.1:8080',
    });
  });

  it('has the address of the gateway for links, as pnpm start has it with this environment', async () => {
    await keepSecrets();
    await runPostgres();
    const urlOf = async (env: Environment) =>
      (await operatorEnvironment({ DATA_DIR: dataDir, ...env }))['GATEWAY_URL'];
    expect(await urlOf({ PORT: '9000', HOST: '0.0.0.0' })).toBe('http://127.0.0.1:9000');
    expect(await urlOf({ PORT: '', HOST: '' })).toBe('http://127.0.0.1:8080');
    expect(await urlOf({ GATEWAY_URL: 'http://gateway:8080' })).toBe('http://gateway:8080');
  });

  it('works as the role of the auth service on the database that an administrator names', async () => {
    await keepSecrets();
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://admin:secret@db.example.org/commonplace',
      PASSWORD_PEPPERS: 'given-pepper',
    };
    expect(await operatorEnvironment(env)).toEqual({
      ...env,
      DATABASE_URL: 'postgres://auth_app:kept%2Fpassword@db.example.org/commonplace',
      GATEWAY_URL: 'http://127.0.0.1:8080',
    });
  });

  it('reads values from files, and passes each of them on once', async () => {
    await keepSecrets();
    const inFile = async (name: string, content: string) => {
      await writeFile(join(dataDir, name), `${content}\n`);
      return join(dataDir, name);
    };
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL_FILE: await inFile('url', 'postgres://admin:secret@db.example.org/commonplace'),
      PASSWORD_PEPPERS_FILE: await inFile('peppers', 'pepper-of-a-file'),
      AUTH_DATABASE_PASSWORD_FILE: await inFile('password', 'password-of-a-file'),
    };
    expect(await operatorEnvironment(env)).toEqual({
      DATA_DIR: dataDir,
      AUTH_DATABASE_PASSWORD_FILE: env.AUTH_DATABASE_PASSWORD_FILE,
      DATABASE_URL: 'postgres://auth_app:password-of-a-file@db.example.org/commonplace',
      PASSWORD_PEPPERS: 'pepper-of-a-file',
      GATEWAY_URL: 'http://127.0.0.1:8080',
    });
    await expect(operatorEnvironment({ ...env, PASSWORD_PEPPERS: 'another' })).rejects.toThrow(
      /either PASSWORD_PEPPERS or PASSWORD_PEPPERS_FILE/,
    );
    await expect(operatorEnvironment({ PASSWORD_PEPPERS_FILE: '/nowhere' })).rejects.toThrow(
      /cannot be read/,
    );
  });

  it('says what is missing: the secrets, or the system itself', async () => {
    await expect(operatorEnvironment({ DATA_DIR: dataDir })).rejects.toThrow(/no secrets/);
    await writeFile(join(dataDir, 'secrets.json'), '{"PASSWORD_PEPPERS": "cut o');
    await expect(operatorEnvironment({ DATA_DIR: dataDir })).rejects.toThrow(
      /secrets\.json cannot be read\. Restore the file from a backup\./,
    );
    await keepSecrets();
    await expect(operatorEnvironment({ DATA_DIR: dataDir })).rejects.toThrow(/not running/);
  });
});
