import { statSync } from 'node:fs';
import { placeOf } from './optional-files.ts';

type TestFile = { readonly path: string };

/** Jest's sequencer: the largest files first, then the optional ones in their own order. */
// oxlint-disable-next-line import/no-default-export -- Jest requires a default export
export default class FileOrder {
  sort<File extends TestFile>(files: readonly File[]): File[] {
    return files
      .map((file) => ({ file, place: placeOf(file.path), bytes: statSync(file.path).size }))
      .toSorted((one, other) => one.place - other.place || other.bytes - one.bytes)
      .map(({ file }) => file);
  }

  /** For `--onlyFailures`: the results of earlier runs are not kept. */
  allFailedTests<File>(files: readonly File[]): File[] {
    return [...files];
  }

  cacheResults(): void {}
}
