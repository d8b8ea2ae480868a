import { buildConsole } from './build-console.ts';

process.exitCode = (await buildConsole((line) => process.stderr.write(`${line}\n`))) ? 0 : 1;
