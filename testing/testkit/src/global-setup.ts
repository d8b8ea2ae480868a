import { findCliProgram } from './cli-program.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { adminUrlsVariable } from './test-database.ts';

/** The server, for the teardown in the same process. */
export const runningServer: { current?: TestServer } = {};

/** Jest's global setup: one PostgreSQL and one migrated template for the whole run, and which program tests run. */
// oxlint-disable-next-line import/no-default-export -- Jest requires a default export
export default async function setUp(): Promise<void> {
  await findCliProgram();
  runningServer.current = await startTestServer();
  // oxlint-disable-next-line node/no-process-env -- workers inherit the environment, nothing else
  process.env[adminUrlsVariable] = runningServer.current.adminUrls.join(' ');
}
