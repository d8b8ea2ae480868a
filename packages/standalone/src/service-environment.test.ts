import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsReadBy } from '@commonplace/config';
import { environment } from './environment.ts';
import type { Secrets } from './load-secrets.ts';
import { metricsEnvironment, serviceEnvironment } from './service-environment.ts';
import { serviceNames, type ServiceName } from './service-names.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const variablesIn = (text: string): string[] =>
  [...text.matchAll(/\b([A-Z][A-Z_]+):/g)].map(([, name = '']) => name);

/** `pnpm start` writes the passwords of the services into their URLs. */
const inTheUrl = new Set(['DATABASE_PASSWORD']);

/** Every variable that a service reads: its settings, and what its configuration names beside them. */
const variablesOf = (service: ServiceName): string[] => {
  const config = read(`services/${service}/src/config.ts`);
  const database = config.includes('...databaseFields')
    ? read('packages/config/src/database-fields.ts')
    : '';
  const named = [config, database].flatMap(variablesIn);
  return [...new Set([...settingsReadBy(service), ...named])].filter((name) => !inTheUrl.has(name));
};

/** Everything that can be set from outside, set. */
const names = Object.keys(environment.shape);
const given = Object.fromEntries(names.map((name) => [name, '1']));

const databaseUrl = 'postgres://somebody@127.0.0.1/database';
const urls = { auth: 'http://a', agents: 'http://b', notes: 'http://c', gateway: 'http://d' };
const environmentOf = (service: ServiceName) => ({
  ...serviceEnvironment(
    service,
    { mode: 'local_trusted', secrets: given as Secrets, databaseUrl, given },
    { processNo: 0, host: '127.0.0.1', port: 1, urls },
  ),
  ...metricsEnvironment(given, 0),
});

describe.each(serviceNames)('the process of %s under pnpm start', (service) => {
  it('is found with its variables by this test', () => {
    expect(variablesOf(service)).toEqual(expect.arrayContaining(['HOST', 'LOG_LEVEL']));
    expect(variablesOf(service).length).toBeGreaterThan(8);
  });

  it.each(variablesOf(service))('gets %s when it is set', (name) => {
    expect(Object.keys(environmentOf(service))).toContain(name);
  });
});
