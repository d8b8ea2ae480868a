import type { JestMessage, TestFile } from './jest/report-to-parent.ts';

export interface Progress {
  readonly onMessage: (message: JestMessage) => void;
  /** Stops printing; returns the files that have ended. */
  readonly end: () => readonly TestFile[];
}

type Options = {
  readonly fileCount: number;
  readonly print?: (line: string) => void;
  readonly nowMs?: () => number;
};

/** From here on a file is worth a line of its own. */
const longSeconds = 20;
const everyMs = 30_000;

/** So few files are each worth a line. */
const fewFiles = 12;

/**
 * Prints what a person wants to know while tests run: what fails, as soon as it fails, the files that take long, and
 * twice a minute how far the run has come and what it is at.
 */
export function printProgress(options: Options): Progress {
  const { fileCount, print = console.log, nowMs = () => performance.now() } = options;
  const running = new Map<string, number>();
  const ended: TestFile[] = [];
  const startedAtMs = nowMs();
  const timer = setInterval(() => {
    const names = [...running].map(
      ([file, sinceMs]) => `${file} (${((nowMs() - sinceMs) / 1000).toFixed(0)} s)`,
    );
    print(
      `${clockOf(nowMs() - startedAtMs)}  ${ended.length} of ${fileCount} files; at ${names.join(', ')}`,
    );
  }, everyMs);
  return {
    onMessage: (message) => {
      if ('started' in message) {
        running.set(message.started, nowMs());
        return;
      }
      running.delete(message.ended.file);
      ended.push(message.ended);
      if (message.ended.failed > 0) {
        print(`FAILED  ${lineOf(message.ended)}\n${message.ended.failure}\n`);
      } else if (message.ended.seconds >= longSeconds || fileCount <= fewFiles) {
        print(`passed  ${lineOf(message.ended)}`);
      }
    },
    end: () => {
      clearInterval(timer);
      return ended;
    },
  };
}

const lineOf = ({ file, seconds, passed, failed }: TestFile): string =>
  `${file}: ${failed > 0 ? `${failed} of ${passed + failed} tests` : `${passed} tests`}, ${seconds.toFixed(1)} s`;

/** Minutes and seconds. */
function clockOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
