import { existsSync } from 'node:fs';
import { relative, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { checkOutPrevious, type PreviousRelease } from '../src/previous-release.ts';
import { runScript } from '../src/run-script.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';

/**
 * Expand and contract: while an upgrade rolls over the replicas, the release before works on the new
 * schema. Its own processes and its own demo show that it still can.
 */
const root = join(import.meta.dirname, '../../..');
/** Where releases keep the program of the demo, the newest place first. */
const demoPaths = ['testing/e2e/src/demo/main.ts', 'packages/e2e/src/demo/main.ts'];
let previous: PreviousRelease | null = null;
let system: TestSystem | null = null;

beforeAll(async () => {
  const found = await checkOutPrevious();
  if ('why' in found) {
    process.stderr.write(
      `The release before could not be tried on the new schema: ${found.why}. packages/migrations/test/schema.test.ts still refuses migrations that take something away.\n`,
    );
    return;
  }
  previous = found;
  system = await startTestSystem('local_trusted', {
    servicesDir: join(found.folder, 'services'),
  });
}, 120_000);
afterAll(async () => {
  await system?.stop();
  await previous?.remove();
});

it('the release before the last schema change completes its demo on the current schema', async () => {
  if (!previous || !system) {
    return;
  }
  const { folder } = previous;
  const paths = demoPaths.map((path) => join(folder, path));
  const demo = relative(root, paths.find((path) => existsSync(path)) ?? '');
  const ended = await runScript(demo, [], { BASE_URL: system.baseUrl });
  expect(ended).toMatchObject({ exitCode: 0 });
}, 120_000);
