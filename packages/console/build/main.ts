import { buildConsole } from './build-console.ts';

// Vite believes whatever it finds here, and under Jest that would be React's development build.
// oxlint-disable-next-line node/no-process-env -- the only way to tell Vite
process.env['NODE_ENV'] = 'production';

process.exitCode = (await buildConsole((line) => process.stderr.write(`${line}\n`))) ? 0 : 1;
