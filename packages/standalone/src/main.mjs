// JavaScript, because for a first file in TypeScript Node loads its compiler, 70 ms and 16 MB, before the cache
// is on that makes it needless.
import { constants, enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Beside the packages (compile-cache.ts), or in the data directory where others installed them.
const installed = join(import.meta.dirname, '../../../node_modules/.cache/commonplace');
if (enableCompileCache(installed).status === constants.compileCacheStatus.FAILED) {
  enableCompileCache(join(process.env['DATA_DIR'] || '.data', 'cache'));
}
const { run } = await import('./run.ts');

await run();
