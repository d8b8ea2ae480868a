import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, makeCompany, type CompanyWorld } from '@commonplace/e2e';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import { runScenario } from '../src/mcp-conformance.ts';
import { expectedFailures } from '../src/mcp-expected-failures.ts';
import { installTools, runTool } from '../src/workspace.ts';

let system: TestSystem;
let world: CompanyWorld;
let url: string;

beforeAll(async () => {
  [system] = await Promise.all([startTestSystem('local_trusted'), installTools()]);
  const { baseUrl } = system;
  world = await makeCompany(system.as({}), 'Conformance', { baseUrl, withInvite: false });
  url = `${baseUrl}/mcp`;
  await system.as(bearer(world.key))('PATCH', `/api/notes/${world.noteId}`, {
    body: { edits: [{ op: 'set', pinned: true }] },
  });
}, 300_000);
afterAll(async () => {
  await system.stop();
});

const scenarios: readonly (readonly [revision: string, scenario: string])[] = [
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'resources-list'],
  ['2025-11-25', 'prompts-list'],
  ['2025-11-25', 'json-schema-2020-12'],
  ['2025-11-25', 'dns-rebinding-protection'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'resources-list'],
  ['2026-07-28', 'prompts-list'],
  ['2026-07-28', 'json-schema-2020-12'],
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'dns-rebinding-protection'],
  ['2026-07-28', 'sep-2164-resource-not-found'],
];

describe('the conformance suite of MCP', () => {
  it.each(scenarios)(
    '%s %s: what fails is expected, with a reason',
    async (revision, scenario) => {
      const checks = await runScenario(url, scenario, revision);
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      const passed = checks.filter(({ status }) => status === 'SUCCESS');
      process.stderr.write(
        `${revision} ${scenario}: ${passed.length} passed, ${failed.length} not\n${failed.map(({ id, errorMessage }) => `  ${id}: ${errorMessage ?? ''}\n`).join('')}`,
      );
      const expected = Object.keys(expectedFailures[`${revision} ${scenario}`] ?? {});
      expect(failed.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
      expect(checks.length).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('the command line of the Inspector', () => {
  const inspect = async (...args: readonly string[]): Promise<string> =>
    runTool(
      'mcp-inspector',
      [
        '--cli',
        url,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${world.key}`,
        ...args,
      ],
      process.cwd(),
    );

  it('lists the tools, calls one, and reads a note', async () => {
    expect(await inspect('--method', 'tools/list')).toContain('"name": "read_note"');
    const called = await inspect('--method', 'tools/call', '--tool-name', 'whoami');
    expect(called).toContain(world.agentId);
    const read = await inspect('--method', 'resources/read', '--uri', `note://${world.noteId}`);
    expect(read).toContain(`note://${world.noteId}`);
  }, 120_000);
});
