import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
// @ts-expect-error the settings are plain JavaScript and have no types
import layerSettings from '../../.dependency-cruiser.mjs';
import { buildFixtureRepo, type FixtureRepo } from './build-fixture-repo.ts';
import { runLinters } from './run-linters.ts';
import type { Finding } from './finding.ts';

/*
 * Every file below fixtures/ that opens with `// breaks …` violates the named rules, and each must be found.
 * (types/route-without-access.ts shows that a route without its access does not compile.)
 */
describe('the lint rules of pnpm check', () => {
  let repo: FixtureRepo;
  let findings: Finding[];

  beforeAll(async () => {
    repo = await buildFixtureRepo();
    findings = await runLinters(repo.path);
    // Four linters start, which takes long on a busy machine.
  }, 120_000);

  afterAll(() => rm(repo.path, { recursive: true }));

  it('find every violation of the fixtures, each by its own rule', () => {
    const caught = new Set(findings.map(({ rule, file }) => `${rule} ${file}`));
    expect(repo.expected.filter(({ rule, file }) => !caught.has(`${rule} ${file}`))).toEqual([]);
  });

  it('report nothing in a correct route', () => {
    const route = 'services/notes/src/routes/get-note.ts';
    expect(findings.filter(({ file }) => file === route)).toEqual([]);
  });

  it('have a fixture for every layer rule', () => {
    const { forbidden } = layerSettings as { forbidden: { name: string }[] };
    const broken = new Set(repo.expected.map(({ rule }) => rule));
    expect(forbidden.filter(({ name }) => !broken.has(`layers/${name}`))).toEqual([]);
  });
});
