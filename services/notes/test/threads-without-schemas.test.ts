import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

/**
 * Prints the packages of other projects that loading the code of a thread loads, and how that ended. A thread has modules of
 * its own.
 */
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
  const end = await import(${JSON.stringify(file)}).catch((error) => String(error));
  console.log(JSON.stringify({ packages: [...packages], end }));`;

const source = new URL('../src/', import.meta.url);

it.each(globSync('**/*-worker.ts', { cwd: source }))(
  'the thread of %s loads no schemas, which would take as much memory in it as its work',
  async (path) => {
    const program = listPackages(new URL(path, source).href);
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({
      packages: expect.not.arrayContaining(['zod']),
      end: expect.stringContaining('only in a worker thread'),
    });
  },
);
