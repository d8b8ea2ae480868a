import { createTaskThread } from '@commonplace/concurrency';
import type { MergeThread } from './merge/create-merger.ts';
import type { Texts } from '@commonplace/merge';

export type MergeThreadOptions = {
  readonly onError: (error: unknown) => void;
  readonly idleMs?: number;
};

/** A merge of the largest texts takes about 60 MB. Merges beyond the limit are given up. */
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

/** Creates the thread for merges that would hold the event loop. */
export const createMergeThread = ({ onError, idleMs }: MergeThreadOptions): MergeThread => {
  const thread = createTaskThread<Texts, { readonly merged: string | null }>({
    file: new URL('merge/merge-worker.ts', import.meta.url),
    memory,
    onError,
    idleMs,
  });
  return {
    merge: async (texts, msMax) => {
      try {
        const { output, ms } = await thread.run(texts, msMax);
        return { merged: output.merged, ms };
      } catch (error) {
        onError(error);
        return { merged: null, ms: msMax };
      }
    },
  };
};
