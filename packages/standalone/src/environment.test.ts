import { describe, expect, it } from '@jest/globals';
import { environment } from './environment.ts';

const problemsOf = (variables: Record<string, string>): string[] =>
  (environment.safeParse(variables).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('retention', () => {
  it('never remembers a change for longer than the deletion of its note', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ MUTATION_DAYS: '90' })).toEqual([]);
    expect(problemsOf({ MUTATION_DAYS: '91' })).toEqual(['MUTATION_DAYS']);
    expect(problemsOf({ TOMBSTONE_DAYS: '29' })).toEqual(['MUTATION_DAYS']);
    expect(problemsOf({ TOMBSTONE_DAYS: '7', MUTATION_DAYS: '7' })).toEqual([]);
  });
});

describe('the connections to PostgreSQL', () => {
  it('are enough for the background jobs of a notes process', () => {
    expect(problemsOf({ DATABASE_CONNECTIONS_MAX: '2' })).toEqual(['DATABASE_CONNECTIONS_MAX']);
    expect(problemsOf({ DATABASE_CONNECTIONS_MAX: '3' })).toEqual([]);
  });
});

describe('local_trusted mode', () => {
  it('listens on loopback only: every client is the operator', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })).toEqual(['HOST']);
    expect(problemsOf({ HOST: '::1' })).toEqual([]);
    expect(problemsOf({ HOST: '0.0.0.0', DEPLOYMENT_MODE: 'authenticated' })).toEqual([]);
  });
});
