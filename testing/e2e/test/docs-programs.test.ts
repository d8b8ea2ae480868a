import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, makeCompanyKey, type CompanyWorld } from '../src/world.ts';

/*
 * The blocks of docs/client.md and docs/python.md are one program each, which a reader may copy. They run here as
 * they stand there.
 */
const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

let system: TestSystem;
let company: CompanyWorld;
let folder: string;
beforeAll(async () => {
  system = await startTestSystem('local_trusted');
  const { baseUrl } = system;
  company = await makeCompany(system.as({}), 'Readers', { baseUrl, withInvite: false });
  // Inside this package, so that the client resolves.
  const parent = join(import.meta.dirname, '../.tmp');
  await mkdir(parent, { recursive: true });
  folder = await mkdtemp(join(parent, 'docs-'));
}, 120_000);
afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The blocks of a page in a language, as one program. */
const programOf = async (page: string, language: string): Promise<string> => {
  const text = await readFile(join(root, 'docs', page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block]) => block).join('\n');
};

const runProgram = async (
  program: string,
  name: string,
  { text, key = company.key }: { readonly text: string; readonly key?: string },
): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, text);
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, COMMONPLACE_URL: system.baseUrl, COMMONPLACE_API_KEY: key };
  return (await run(program, [file], { env, timeout: 100_000 })).stdout;
};

describe('the programs of the pages', () => {
  it('of docs/client.md run as they stand', async () => {
    const text = await programOf('client.md', 'ts');
    const output = await runProgram(process.execPath, 'client.ts', { text });
    expect(output).toMatch(
      /^I am Ada\nchanged meanwhile: revision \d+\nchanged: true\nFile created successfully at: \S+\nfalse\n$/,
    );
  }, 120_000);

  it('of docs/python.md run as they stand, with the standard library only', async () => {
    const text = await programOf('python.md', 'python');
    const output = await runProgram('python3', 'agent.py', { text });
    expect(output).toMatch(
      /^I am Ada; \d+ notes to read first\nrevision \d+\nJournal .*⟦boils⟧.*\nWater boils at 100 °C[^]*changed, \d+ notes\ndone\n$/,
    );
  }, 120_000);

  it('end with the proposal where the grants of the agent make its writes proposals', async () => {
    const { agentId, key } = await makeCompanyKey(system.as({}), 'Proposers');
    const grants = [{ folder: '', scope: 'any', mode: 'propose' }];
    const changed = await system.as({})('PATCH', `/api/agents/${agentId}`, { body: { grants } });
    expect(changed.status).toBe(200);
    // Changed grants hold within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const programs = [
      [process.execPath, 'proposing.ts', await programOf('client.md', 'ts')],
      ['python3', 'proposing.py', await programOf('python.md', 'python')],
    ] as const;
    for (const [program, name, text] of programs) {
      await expect(runProgram(program, name, { text, key })).rejects.toMatchObject({
        stderr: expect.stringContaining('proposed, not yet applied: '),
      });
    }
  }, 120_000);
});
