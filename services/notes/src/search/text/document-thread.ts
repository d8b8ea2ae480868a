import { createTaskThread, type ThreadMemory } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import type { BuildMessage, BuildProgress } from './document-worker.ts';
import { termPrefix, type SearchDocument, type SearchedNote } from './search-document.ts';

/** Builds the documents of notes of one company, in their order. */
export type BuildDocuments = (
  companyId: CompanyId,
  notes: readonly SearchedNote[],
) => Promise<readonly SearchDocument[]>;

/** Documents could not be built: one of the notes takes too much time or memory. */
export class DocumentError extends Error {}

/** The costliest note takes about 60 MB; parts of several companies may be built by turns. */
const memory = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 12 };
/** For 40 ms of work, on a processor that others use. */
const msMax = 20_000;
/** A build starts again when the thread ended because of another one. */
const startsMax = 3;

/**
 * Creates the thread that builds documents, because a large note would hold the event loop for a second. It works at
 * each of the builds for some milliseconds, one after another, so that a short one does not wait for the end of a long one.
 */
export const createDocumentThread = (
  onError: (error: unknown) => void,
  shared?: ThreadMemory,
): BuildDocuments => {
  const thread = createTaskThread<BuildMessage, BuildProgress>({
    file: new URL('document-worker.ts', import.meta.url),
    memory,
    shared,
    onError,
  });
  let builds = 0;
  const build = async (start: BuildMessage['start']): Promise<BuildProgress> => {
    builds += 1;
    const id = builds;
    let { output } = await thread.run({ id, ...(start && { start }) }, msMax);
    while (!output.documents && !output.isUnknown) {
      ({ output } = await thread.run({ id }, msMax));
    }
    return output;
  };
  return async (companyId, notes) => {
    for (let starts = 0; starts < startsMax; starts += 1) {
      const { documents } = await build({ prefix: termPrefix(companyId), notes }).catch(
        (cause: unknown) => {
          throw new DocumentError('Documents could not be built', { cause });
        },
      );
      if (documents) {
        return documents;
      }
    }
    throw new DocumentError('The thread ended several times while documents were built');
  };
};
