import type { SyncCounts } from '@commonplace/client';
import { SingleBar, type Options, type Params } from 'cli-progress';

/** With fewer notes, a synchronisation ends before anyone reads a progress bar. */
const notesForBarMin = 200;

/** Shows the progress of a synchronisation. */
export type ProgressView = {
  readonly show: (step: SyncCounts) => void;
  readonly clear: () => void;
};

type Terminal = {
  readonly stream: NodeJS.WriteStream;
  /** Whether the terminal can write over a line. */
  readonly canMoveCursor: boolean;
};

/** Shows a progress bar for long synchronisations, and only on a terminal. */
export const createProgressView = ({ stream, canMoveCursor }: Terminal): ProgressView => {
  let bar: SingleBar | null = null;
  return {
    show: ({ pushed, toPush, pulled }) => {
      const total = pushed + toPush;
      if (!stream.isTTY || !canMoveCursor || total + pulled < notesForBarMin) {
        return;
      }
      if (!bar) {
        bar = new SingleBar({ stream, format, hideCursor: true });
        bar.start(total, pushed, { pulled });
      }
      bar.setTotal(total);
      bar.update(pushed, { pulled });
    },
    clear: () => {
      bar?.stop();
      bar = null;
    },
  };
};

const barCharacters = 40;

/** How many notes a pull will bring is not known, so only what is sent has a bar. */
const format = (
  _options: Options,
  { progress, value, total }: Params,
  { pulled }: { readonly pulled: number },
): string => {
  const received = pulled === 0 ? [] : [`${pulled} notes received`];
  const done = Math.round(progress * barCharacters);
  const bar = '█'.repeat(done) + '░'.repeat(barCharacters - done);
  const sent = total === 0 ? [] : [`${bar} ${value} of ${total} notes sent`];
  return [...sent, ...received].join(', ');
};
