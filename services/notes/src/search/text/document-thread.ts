import { createTaskThread } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { termPrefix, type SearchDocument, type SearchedNote } from './search-document.ts';

/** Builds the documents of notes of one company, in their order. */
export type BuildDocuments = (
  companyId: CompanyId,
  notes: readonly SearchedNote[],
) => Promise<readonly SearchDocument[]>;

/** The largest note takes about 100 MB. */
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** Two of the costliest notes take 4 s. */
const msMax = 60_000;

/** Creates the thread that builds documents, because a large note would hold the event loop for a second. */
export const createDocumentThread = (onError: (error: unknown) => void): BuildDocuments => {
  const thread = createTaskThread<object, SearchDocument[]>({
    file: new URL('document-worker.ts', import.meta.url),
    memory,
    onError,
  });
  return async (companyId, notes) => {
    const { output } = await thread.run({ prefix: termPrefix(companyId), notes }, msMax);
    return output;
  };
};
