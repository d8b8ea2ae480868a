import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Preloaded (`node --import`) into a service that is started while its database is still being prepared: loads
 * the application, which is most of what a start takes, and lets `main.ts` begin when the supervisor sends the
 * rest of the environment. Ends when the supervisor does.
 */
const end = () => process.exit();

if (process.connected) {
  process.once('disconnect', end);
  const word = once(process, 'message');
  const [, main = ''] = process.argv;
  const app = pathToFileURL(join(dirname(main), 'app.ts')).href;
  // What cannot be loaded here cannot be loaded by `main.ts` either, and that one says why.
  await import(app).catch(() => undefined);
  const [environment] = (await word) as [Readonly<Record<string, string>>];
  Object.assign(process.env, environment);
  process.off('disconnect', end);
}
