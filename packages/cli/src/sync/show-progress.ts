import type { SyncStep } from '@commonplace/client';
import { Presets, SingleBar } from 'cli-progress';

/** A synchronisation of fewer notes is over before a bar is read. */
const worthABar = 200;

/** Shows how far a synchronisation is. */
export type ProgressView = {
  readonly show: (step: SyncStep) => void;
  readonly clear: () => void;
};

/** A bar on the terminal for work that takes a while; nothing where nobody looks. */
export const createProgressView = (stream: NodeJS.WriteStream): ProgressView => {
  let bar: SingleBar | null = null;
  return {
    show: ({ pushed, toPush, pulled }) => {
      const done = pushed + pulled;
      if (!stream.isTTY || done + toPush < worthABar) {
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
