import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Preloaded (`node --import`) into a service while its database is still being prepared. Loads the application,
 * which takes most of a start, then waits until the supervisor sends the rest of the environment, and lets
 * `main.ts` run. Ends with the supervisor.
 */
const end = () => process.exit();

if (process.connected) {
  process.once('disconnect', end);
  const sent = once(process, 'message');
  const [, main = ''] = process.argv;
  const app = pathToFileURL(join(dirname(main), 'app.ts')).href;
  // If this fails, `main.ts` fails in the same way and reports why.
  await import(app).catch(() => undefined);
  const [environment] = (await sent) as [Readonly<Record<string, string>>];
  Object.assign(process.env, environment);
  process.off('disconnect', end);
}
