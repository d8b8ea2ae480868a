import type { SyncCounts } from '@commonplace/client';
import { Presets, SingleBar } from 'cli-progress';

/** With fewer notes, a synchronisation ends before anyone reads a progress bar. */
const notesForBarMin = 200;

/** Shows the progress of a synchronisation. */
export type ProgressView = {
  readonly show: (step: SyncCounts) => void;
  readonly clear: () => void;
};

/** Shows a progress bar for long synchronisations, and only on a terminal. */
export const createProgressView = (stream: NodeJS.WriteStream): ProgressView => {
  let bar: SingleBar | null = null;
  return {
    show: ({ pushed, toPush, pulled }) => {
      const done = pushed + pulled;
      if (!stream.isTTY || done + toPush < notesForBarMin) {
        return;
      }
      if (!bar) {
        const format = '{bar} {value} of {total} notes';
        bar = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic);
        bar.start(done + toPush, done);
      }
      bar.setTotal(done + toPush);
      bar.update(done);
    },
    clear: () => {
      bar?.stop();
      bar = null;
    },
  };
};
