import { exportedFiles } from './exported-files.ts';
import { zipOf } from './zip-of.ts';
import type { ZipTarget } from './zip-target.ts';

type WriteExport = Parameters<typeof exportedFiles>[0] & { readonly target: ZipTarget };

/** Exports the notes of a folder as Markdown files in a zip. Rejects if a page cannot be read, or when aborted. */
export const writeExport = async ({ target, ...options }: WriteExport): Promise<void> => {
  // The stream may replace an error of its source by one of its own.
  let failure: unknown;
  const files = async function* () {
    try {
      yield* exportedFiles(options);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    await target.write(zipOf(files()) as Parameters<ZipTarget['write']>[0], options.signal);
  } catch (error) {
    throw failure ?? error;
  }
};
