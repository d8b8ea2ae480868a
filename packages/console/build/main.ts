import { buildConsole } from './build-console.ts';

// Vite uses this value if it is set. Jest sets it to `test`, which would select React's development build.
// oxlint-disable-next-line node/no-process-env -- Vite has no other option for it
process.env['NODE_ENV'] = 'production';

process.exitCode = (await buildConsole((line) => process.stderr.write(`${line}\n`))) ? 0 : 1;
