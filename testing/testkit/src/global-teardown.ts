import { runningServer } from './global-setup.ts';
import { stopAll } from './stop-with-worker.ts';

/** Jest's global teardown: stops what test files shared if they ran in this process, then PostgreSQL; removes its files. */
// oxlint-disable-next-line import/no-default-export -- Jest requires a default export
export default async function tearDown(): Promise<void> {
  await stopAll();
  await runningServer.current?.stop();
}
