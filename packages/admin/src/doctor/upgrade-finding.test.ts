import { expect, it } from '@jest/globals';
import { upgradeFinding, upgradeFindings } from './upgrade-finding.ts';

it('an upgrade is expected to take the connections of all processes and of the largest service once more', () => {
  const finding = upgradeFinding({ counts: [2, 3, 4], each: 10, max: 100 });
  expect(finding).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('up to 140 of 100'),
  });
  expect(upgradeFinding({ counts: [2, 3, 4], each: 10, max: 140 }).state).toBe('ok');
  expect(upgradeFinding({ counts: [1, 1, 1], each: 10, max: 100 }).state).toBe('ok');
});

/** Of a database of 100 connections. */
const findingsWith = (env: Readonly<Record<string, string>>) => {
  const urls = {
    AUTH_URL: 'http://127.0.0.1:1',
    AGENTS_URL: 'http://127.0.0.1:1,http://127.0.0.1:2',
    NOTES_URL: 'http://127.0.0.1:1',
  };
  const server = { version: '18', sizeBytes: 0, used: 0, max: 100 };
  const query = async <Row extends object>() => [server as unknown as Row];
  return upgradeFindings(query, { env: { ...urls, ...env } });
};

it('nothing is said of an upgrade, and all else of the database, where a setting it counts by is malformed', async () => {
  expect(await findingsWith({ DATABASE_CONNECTIONS_MAX: '5' })).toHaveLength(1);
  expect(await findingsWith({ AUTH_URL: 'auth' })).toEqual([]);
  expect(await findingsWith({ DATABASE_CONNECTIONS_MAX: 'ten' })).toEqual([]);
});

it('no connection is counted that PgBouncer pools', async () => {
  const findings = await findingsWith({
    DATABASE_CONNECTIONS_MAX: '100',
    DATABASE_NAMED_STATEMENTS: 'off',
  });
  expect(findings).toMatchObject([{ state: 'skipped' }]);
});
