import { expect, it, jest } from '@jest/globals';
import type { Finding } from '@commonplace/checks';
import { doctor } from './doctor.ts';

/** What the doctor finds where nothing runs. */
const examine = async (env: Readonly<Record<string, string>>): Promise<readonly Finding[]> => {
  let printed = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    const options = { json: true, url: 'http://127.0.0.1:1' };
    await doctor.run({ options, args: [], env: { DATA_DIR: '/nowhere', ...env } });
  } finally {
    write.mockRestore();
  }
  return JSON.parse(printed) as Finding[];
};

it('names each setting that is not valid, and makes all other checks nevertheless', async () => {
  const findings = await examine({
    PUBLIC_URL: 'notes.example.org',
    EMBEDDINGS_URL: 'embeddings',
    DATABASE_URL: 'localhost',
    DATABASE_PASSWORD: 'of the administrator',
    TOMBSTONE_DAYS: 'ninety',
  });
  const failed = findings.filter(({ state }) => state === 'failure');
  expect(
    failed.flatMap(({ check, detail }) => (check === 'settings' ? [detail.split(' ')[0]] : [])),
  ).toEqual(
    expect.arrayContaining(['PUBLIC_URL', 'EMBEDDINGS_URL', 'DATABASE_URL', 'TOMBSTONE_DAYS']),
  );
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['Node', 'disk', 'gateway', 'TLS', 'search by meaning', 'database']),
  );
  expect(JSON.stringify(findings)).not.toContain('of the administrator');
});

it('finds settings valid that are, and those that are not set', async () => {
  const findings = await examine({ PUBLIC_URL: 'https://127.0.0.1:1', TRUST_PROXY: '10.0.0.0/8' });
  expect(findings).toContainEqual(expect.objectContaining({ check: 'settings', state: 'ok' }));
});

it('says without a provider who signs in by the mode, and nothing of a mode that it does not know', async () => {
  const said = async (env: Readonly<Record<string, string>>) =>
    (await examine(env)).find(({ check }) => check === 'single sign-on')?.detail;
  const unset = 'OIDC_ISSUER is not set';
  expect(await said({ DEPLOYMENT_MODE: 'authenticated' })).toBe(
    `${unset}: operators sign in with passwords`,
  );
  expect(await said({ DEPLOYMENT_MODE: 'local_trusted' })).toBe(
    `${unset}: in local mode nobody signs in`,
  );
  expect(await said({})).toBe(unset);
});
