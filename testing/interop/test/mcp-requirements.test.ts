import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeCompanyKey } from '@commonplace/e2e';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import {
  notPassed,
  requiredScenarios,
  runRequirements,
  type Check,
} from '../src/mcp-conformance.ts';
import { expectedMountFailures, notOffered } from '../src/mcp-expected-mount-failures.ts';
import { installTools } from '../src/workspace.ts';

const fixture = new URL('../src/fixture-server/register-fixture-server.ts', import.meta.url).href;

let system: TestSystem;
beforeAll(async () => {
  const serviceEnv = { notes: { NODE_OPTIONS: `--import ${fixture}` } };
  const options = { serviceEnv, runFromSources: ['notes'] } as const;
  [system] = await Promise.all([startTestSystem('local_trusted', options), installTools()]);
  // The board needs one company, for which it speaks.
  await makeCompanyKey(system.as({}), 'Conformance');
}, 300_000);
afterAll(async () => {
  await system.stop();
});

const revisions = ['2025-11-25', '2026-07-28'] as const;

describe.each(revisions)('a server with all that MCP %s has, behind /mcp', (revision) => {
  let required: readonly string[];
  let results: ReadonlyMap<string, readonly Check[]>;
  beforeAll(async () => {
    required = await requiredScenarios(revision);
    results = await runRequirements(`${system.baseUrl}/mcp`, revision);
    process.stderr.write(report(revision, required));
  }, 300_000);

  const report = (name: string, names: readonly string[]): string => {
    const failing = names.filter((scenario) => notPassed(results.get(scenario) ?? []).length > 0);
    return `MCP ${name}: ${names.length - failing.length} of ${names.length} required scenarios passed; not: ${failing.join(', ')}\n`;
  };

  it('every scenario that the suite requires has run', () => {
    expect(required.length).toBeGreaterThanOrEqual(30);
    expect(required.filter((scenario) => !results.has(scenario))).toEqual([]);
  });

  it('what fails is expected, with a reason, and what is expected fails', () => {
    const offered = [...results].filter(
      ([scenario]) => required.includes(scenario) || !notOffered.test(scenario),
    );
    const failed = offered.flatMap(([scenario, checks]) =>
      notPassed(checks).map((id) => `${scenario}: ${id}`),
    );
    const expected = Object.entries(expectedMountFailures[revision]).flatMap(([scenario, checks]) =>
      Object.keys(checks).map((id) => `${scenario}: ${id}`),
    );
    expect(failed.toSorted()).toEqual(expected.toSorted());
  });
});
