import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Preloaded (`node --import`) into a service that is started while the database is still being migrated:
 * loads the application, which is most of what a start takes, and lets `main.ts` begin at the supervisor's
 * first word. Ends when the supervisor does.
 */
const end = () => process.exit();

if (process.connected) {
  process.once('disconnect', end);
  const word = once(process, 'message');
  const [, main = ''] = process.argv;
  const app = pathToFileURL(join(dirname(main), 'app.ts')).href;
  // What cannot be loaded here cannot be loaded by `main.ts` either, and that one says why.
  await import(app).catch(() => undefined);
  await word;
  process.off('disconnect', end);
}
