import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import {
  checkOutPrevious,
  checkOutRelease,
  type NoRelease,
  type PreviousRelease,
} from '../src/previous-release.ts';
import { runScript } from '../src/run-script.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';

/**
 * Expand and contract: while an upgrade rolls over the replicas, and after a rollback, an earlier release works on the
 * new schema. Its own processes and its own demo show that it still can.
 */
const root = join(import.meta.dirname, '../../..');
/** Where releases keep the program of the demo, the newest place first. */
const demoPaths = ['testing/e2e/src/demo/main.ts', 'packages/e2e/src/demo/main.ts'];
let checkout: PreviousRelease | undefined;
let system: TestSystem | undefined;

afterEach(async () => {
  await system?.stop();
  await checkout?.remove();
});

/** The oldest release that a rollback without a backup reaches, as docs/deployment.md names it. */
const oldestDocumented = async (): Promise<PreviousRelease | NoRelease> => {
  const page = await readFile(join(root, 'docs/deployment.md'), 'utf8');
  const [, version] = /oldest release that this reaches is (\d+\.\d+\.\d+)/.exec(page) ?? [];
  return checkOutRelease(version ?? 'named nowhere');
};

it.each([
  ['the release before the last schema change', checkOutPrevious],
  ['the oldest release that a rollback reaches, which docs/deployment.md names,', oldestDocumented],
])(
  '%s completes its demo on the current schema',
  async (_, checkOut) => {
    const found = await checkOut();
    if ('why' in found) {
      process.stderr.write(
        `An earlier release could not be tried on the new schema: ${found.why}. packages/migrations/test/schema.test.ts still refuses migrations that take something away.\n`,
      );
      return;
    }
    checkout = found;
    const { folder } = found;
    system = await startTestSystem('local_trusted', { servicesDir: join(folder, 'services') });
    const paths = demoPaths.map((path) => join(folder, path));
    const demo = relative(root, paths.find((path) => existsSync(path)) ?? '');
    const ended = await runScript(demo, [], { BASE_URL: system.baseUrl });
    expect(ended).toMatchObject({ exitCode: 0 });
  },
  120_000,
);
