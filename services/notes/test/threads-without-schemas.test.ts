import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

/** Prints the packages of other projects that loading the code of a thread loads. A thread has modules of its own. */
const listPackages = (file: string): string => `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load: (url, context, next) => {
      const name = url.split('/node_modules/').at(-1);
      if (name !== url && !name.startsWith('@commonplace/')) {
        packages.add(name.split('/')[0]);
      }
      return next(url, context);
    },
  });
  // The last statement of a worker's file needs a port, which this thread has none of.
  await import(${JSON.stringify(file)}).catch(() => undefined);
  console.log(JSON.stringify([...packages]));`;

it.each([
  '../src/edit/edit-worker.ts',
  '../src/merge/merge-worker.ts',
  '../src/search/text/document-worker.ts',
])(
  'the thread of %s loads no schemas, which would take as much memory in it as its work',
  async (path) => {
    const program = listPackages(new URL(path, import.meta.url).href);
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).not.toContain('zod');
  },
);
