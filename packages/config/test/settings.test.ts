import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fieldsReadBy, givenFields, readConfig, settings, settingsReadBy } from '../src/index.ts';
import { composeEnvironment } from '../src/settings/compose-environment.ts';
import { envExample } from '../src/settings/env-example.ts';

const secret = 'a-good-secret-of-more-than-32-bytes-1';

describe('a setting', () => {
  const withDefaults = Object.entries(settings).filter(
    ([, setting]) => setting.default !== undefined,
  );

  it('is found by this test', () => {
    expect(withDefaults.length).toBeGreaterThan(40);
  });

  it.each(withDefaults)('%s has a default that its own field accepts', (_, setting) => {
    const { field, default: text, containerDefault } = setting;
    expect(field.safeParse(text).success).toBe(true);
    expect(containerDefault === undefined || field.safeParse(containerDefault).success).toBe(true);
  });

  it('reaches only the processes that read it', () => {
    expect(settingsReadBy('gateway')).toContain('API_KEY_PEPPERS');
    expect(settingsReadBy('notes')).not.toContain('API_KEY_PEPPERS');
    expect(settingsReadBy('agents')).not.toContain('PASSWORD_PEPPERS');
  });
});

describe('the fields of a process', () => {
  const schema = z.object(fieldsReadBy('notes'));

  it('convert defaults as they convert what is given', () => {
    const config = readConfig(schema, { INTERNAL_IDENTITY_SECRETS: secret, REVISION_DAYS: '7' });
    expect(config.REVISION_DAYS).toBe(7);
    expect(config.TOMBSTONE_DAYS).toBe(90);
    expect(config.DATABASE_NAMED_STATEMENTS).toBe(true);
    expect(config.EMBEDDINGS_URL).toBeUndefined();
  });

  it('require secrets', () => {
    expect(schema.safeParse({}).error?.issues.map(({ path }) => path.join())).toEqual([
      'INTERNAL_IDENTITY_SECRETS',
    ]);
  });
});

describe('what pnpm start was given', () => {
  const schema = z.object(givenFields());

  it('is checked and passed on as it was given', () => {
    const given = {
      TRUST_PROXY: '10.0.0.0/8, ::1',
      OAUTH_AT_MCP: 'on',
      PUBLIC_URL: 'https://A.org/',
    };
    expect(schema.parse(given)).toEqual(given);
    const wrong = schema.safeParse({
      TRUST_PROXY: 'a proxy',
      BODY_MIB_MAX: '1',
      LOG_LEVEL: 'loud',
    });
    expect(wrong.error?.issues.map(({ path }) => path.join()).toSorted()).toEqual([
      'BODY_MIB_MAX',
      'LOG_LEVEL',
      'TRUST_PROXY',
    ]);
  });
});

describe('the files that are written from the settings', () => {
  it('.env.example wraps its comments', () => {
    expect(
      envExample()
        .split('\n')
        .filter((line) => line.length > 120),
    ).toEqual([]);
  });

  it('docker-compose.yml must have a place for the settings of each process', () => {
    expect(() => composeEnvironment('services: {}\n')).toThrow('settings of gateway');
  });
});
