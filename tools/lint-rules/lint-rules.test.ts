import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
// @ts-expect-error the settings are plain JavaScript and have no types
import layerSettings from '../../.dependency-cruiser.mjs';
import { buildWorld, type World } from './build-world.ts';
import { findOffences } from './find-offences.ts';
import type { Finding } from './finding.ts';

/*
 * A guard that nobody has seen bite is a decoration. Every file below fixtures/ that opens with
 * `// breaks …` commits the offence it names; here each guard has to catch it. (That a route cannot
 * leave out its access is shown by types/route-without-access.ts, which only has to compile.)
 */
describe('the guards of pnpm check', () => {
  let world: World;
  let findings: Finding[];

  beforeAll(async () => {
    world = await buildWorld();
    findings = await findOffences(world.path);
  });

  afterAll(() => rm(world.path, { recursive: true }));

  it('catch every offence of the fixtures, each by its own rule', () => {
    const caught = new Set(findings.map(({ rule, file }) => `${rule} ${file}`));
    expect(world.offences.filter(({ rule, file }) => !caught.has(`${rule} ${file}`))).toEqual([]);
  });

  it('leave a well-made route alone', () => {
    const route = 'services/notes/src/routes/get-note.ts';
    expect(findings.filter(({ file }) => file === route)).toEqual([]);
  });

  it('have a fixture for every layer rule', () => {
    const { forbidden } = layerSettings as { forbidden: { name: string }[] };
    const broken = new Set(world.offences.map(({ rule }) => rule));
    expect(forbidden.filter(({ name }) => !broken.has(`layers/${name}`))).toEqual([]);
  });
});
