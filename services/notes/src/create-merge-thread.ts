import { createTaskThread, type ThreadMemory } from '@commonplace/concurrency';
import type { MergeThread } from './merge/create-merger.ts';
import type { Removal, TakenOut, Texts } from '@commonplace/merge';
import type { TakeOutInThread } from './undo/take-out-lines.ts';

/** One of the two, by what was sent. */
type Output = { readonly merged?: string | null; readonly taken?: TakenOut | null };

export type MergeThreadOptions = {
  readonly onError: (error: unknown) => void;
  readonly shared?: ThreadMemory;
  readonly idleMs?: number;
};

/** A merge of the largest texts takes about 60 MB. Merges beyond the limit are given up. */
const memory = { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 12 };

/** Creates the thread for merges that would hold the event loop. */
export const createMergeThread = ({
  onError,
  shared,
  idleMs,
}: MergeThreadOptions): MergeThread & { readonly takeOut: TakeOutInThread } => {
  const thread = createTaskThread<Texts | Removal, Output>({
    file: new URL('merge/merge-worker.ts', import.meta.url),
    memory,
    shared,
    onError,
    idleMs,
  });
  return {
    merge: async (texts, msMax) => {
      try {
        const { output, ms } = await thread.run(texts, msMax);
        return { merged: output.merged ?? null, ms };
      } catch (error) {
        onError(error);
        return { merged: null, ms: msMax };
      }
    },
    takeOut: async (removal, msMax) => {
      try {
        const { output, ms } = await thread.run(removal, msMax);
        return { taken: output.taken ?? null, ms };
      } catch (error) {
        onError(error);
        return { taken: null, ms: msMax };
      }
    },
  };
};
