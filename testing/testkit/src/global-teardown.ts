import { runningServer } from './global-setup.ts';

/** Jest's global teardown: stops PostgreSQL and removes its files. */
// oxlint-disable-next-line import/no-default-export -- Jest requires a default export
export default async function tearDown(): Promise<void> {
  await runningServer.current?.stop();
}
