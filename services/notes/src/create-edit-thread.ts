import { createTaskThread, type ThreadMemory } from '@commonplace/concurrency';
import type { EditedText, EditThread, TextEdits } from './edit/edit-result.ts';

export type EditThreadOptions = {
  readonly onError: (error: unknown) => void;
  readonly shared?: ThreadMemory;
  readonly idleMs?: number;
};

/** The headings of half a MiB of nothing else take about 110 MB. Edits beyond the limit fail. */
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 12 };

/** Creates the thread for edits that would hold the event loop. */
export const createEditThread = ({ onError, shared, idleMs }: EditThreadOptions): EditThread => {
  const thread = createTaskThread<TextEdits, EditedText>({
    file: new URL('edit/edit-worker.ts', import.meta.url),
    memory,
    shared,
    onError,
    idleMs,
  });
  return async (edits, msMax) => {
    try {
      const { output, ms } = await thread.run(edits, msMax);
      return { edited: output, ms };
    } catch (error) {
      onError(error);
      return { edited: null, ms: msMax };
    }
  };
};
