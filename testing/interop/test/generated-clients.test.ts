import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeCompany } from '@commonplace/e2e';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import { clientGenerators, orvalConfig } from '../src/client-generators.ts';
import { installTools, makeWorkspace, runTool } from '../src/workspace.ts';

let system: TestSystem;
let folder: string;
let bearer: string;

const compile = [
  '--strict',
  '--target es2022 --lib es2023,dom,dom.iterable',
  '--module commonjs --moduleResolution node10 --esModuleInterop --skipLibCheck',
  '--noEmitOnError --types node --outDir out',
].flatMap((options) => options.split(' '));

beforeAll(async () => {
  [system, folder] = await Promise.all([
    startTestSystem('local_trusted'),
    installTools().then(makeWorkspace),
  ]);
  const { baseUrl } = system;
  const company = await makeCompany(system.as({}), 'Interop', { baseUrl, withInvite: false });
  bearer = company.key;
  await writeFile(join(folder, 'orval.config.cjs'), orvalConfig(baseUrl));
}, 300_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await system.stop();
});

describe('a client generated from docs/openapi.json', () => {
  it('compiles with the strict checks of TypeScript, whichever of five generators made it', async () => {
    for (const { tool, args } of clientGenerators) {
      await runTool(tool, args(system.baseUrl), folder);
    }
    const users = clientGenerators.map(({ name }) => `${name}.ts`);
    // It prints only violations.
    expect(await runTool('tsc', [...compile, ...users], folder)).toBe('');
  }, 300_000);

  it.each(clientGenerators.map(({ name }) => name))(
    'by %s creates, reads, lists and pulls a note of the running system',
    async (name) => {
      const noteId = randomUUID();
      const scene = JSON.stringify({ baseUrl: system.baseUrl, bearer, noteId });
      const script = `require('./out/${name}.js').roundTrip(${scene}).then((outcome) => console.log(JSON.stringify(outcome)))`;
      const outcome = JSON.parse(await runTool('node', ['-e', script], folder)) as unknown;
      expect(outcome).toEqual({
        created: 'Round trip',
        revision: 1,
        content: '# Hello',
        listed: [noteId],
        pulled: expect.arrayContaining([noteId]),
      });
    },
    60_000,
  );
});
