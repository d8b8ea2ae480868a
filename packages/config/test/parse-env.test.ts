import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  type ConfigError,
  listOf,
  origin,
  port,
  readConfig,
  secretList,
  wholeNumber,
  withPassword,
} from '../src/index.ts';

const schema = z.object({
  PORT: port.default(8080),
  DAYS: wholeNumber(1, 90).optional(),
  SECRETS: secretList,
});
const good = 'a-good-secret-of-more-than-32-bytes-1';
const other = 'a-good-secret-of-more-than-32-bytes-2';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe('the environment', () => {
  it('is read once, with defaults, and frozen', () => {
    const config = readConfig(schema, { SECRETS: `${good},${other}`, DAYS: '' });
    expect(config).toEqual({ PORT: 8080, SECRETS: [good, other] });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every problem at once', () => {
    const problems = problemsOf({ PORT: '99999', DAYS: 'many' });
    expect(problems.map((problem) => problem.split(':')[0] ?? '').toSorted()).toEqual([
      'DAYS',
      'PORT',
      'SECRETS',
    ]);
  });

  it('never repeats the value of a secret in a problem', () => {
    expect(problemsOf({ SECRETS: 'too-short-to-be-a-secret' }).join()).not.toContain(
      'too-short-to-be',
    );
  });

  it.each([
    ['a short one', 'short'],
    ['the same one twice', `${good},${good}`],
    ['one copied from an example', 'change-me-change-me-change-me-change-me'],
    ['a short one behind a good one', `${good},short`],
  ])('refuses a list of secrets with %s', (_title, value) => {
    expect(problemsOf({ SECRETS: value })).toHaveLength(1);
  });

  it('reads NAME_FILE in place of NAME, and refuses both at once', () => {
    const directory = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(directory, 'secret');
    writeFileSync(file, `${good}\n`);
    expect(readConfig(schema, { SECRETS_FILE: file }).SECRETS).toEqual([good]);
    expect(problemsOf({ SECRETS_FILE: file, SECRETS: good })).toHaveLength(1);
    expect(problemsOf({ SECRETS_FILE: join(directory, 'absent') }).join()).toContain(
      'cannot be read',
    );
    rmSync(directory, { recursive: true });
  });
});

it('a secret that docker-compose passes as empty, with an empty name of its file, is required', () => {
  const lists = z.object({ API_KEY_PEPPERS: secretList });
  const read = () => readConfig(lists, { API_KEY_PEPPERS: '', API_KEY_PEPPERS_FILE: '' });
  expect(read).toThrow(/:\n {2}- API_KEY_PEPPERS: is required[^\n]*$/);
});

describe('the password of a database', () => {
  it('is in its URL, or apart from it, in any characters', () => {
    const url = 'postgres://auth_app:old@postgres:5432/commonplace';
    expect(withPassword(url, undefined)).toBe(url);
    expect(withPassword('postgres://auth_app:@postgres:5432/commonplace', 'a b@c/d%')).toBe(
      'postgres://auth_app:a%20b%40c%2Fd%25@postgres:5432/commonplace',
    );
  });
});

describe('an empty value', () => {
  const guarded = z.object({
    DEPLOYMENT_MODE: z.enum(['local_trusted', 'authenticated']).default('local_trusted'),
    RUN_TOKEN_SECRETS: secretList.optional(),
    API_KEY_PEPPERS: secretList.optional(),
    SECOND_FACTOR_SECRETS: secretList.optional(),
    AUTH_DATABASE_PASSWORD: z.string().min(16).optional(),
    TRUST_PROXY: listOf(origin).default([]),
  });
  const namesOf = (env: Record<string, string>): string[] => {
    try {
      readConfig(guarded, env);
      return [];
    } catch (error) {
      return (error as ConfigError).problems.map((problem) => problem.split(':')[0] ?? '');
    }
  };

  it.each(['DEPLOYMENT_MODE', 'RUN_TOKEN_SECRETS', 'API_KEY_PEPPERS', 'AUTH_DATABASE_PASSWORD'])(
    'is an error where a default would decide who is let in: %s, also by file',
    (name) => {
      expect(namesOf({ [name]: '' })).toEqual([name]);
      expect(namesOf({ [`${name}_FILE`]: '' })).toEqual([`${name}_FILE`]);
    },
  );

  it('is as good as none beside a file, and where the default is the safe choice', () => {
    const directory = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(directory, 'secret');
    writeFileSync(file, good);
    expect(namesOf({ RUN_TOKEN_SECRETS: '', RUN_TOKEN_SECRETS_FILE: file })).toEqual([]);
    expect(namesOf({ RUN_TOKEN_SECRETS: good, RUN_TOKEN_SECRETS_FILE: '' })).toEqual([]);
    expect(namesOf({ TRUST_PROXY: '' })).toEqual([]);
    rmSync(directory, { recursive: true });
  });
});

describe('an origin', () => {
  it('is scheme, host and port only, in lower case', () => {
    expect(origin.parse('https://Notes.example.org')).toBe('https://notes.example.org');
    expect(origin.safeParse('https://notes.example.org/path').success).toBe(false);
    expect(origin.safeParse('ftp://notes.example.org').success).toBe(false);
  });

  it('stands in lists separated by commas', () => {
    expect(listOf(origin).parse('https://a.example, https://b.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
  });
});
