import { createWorkerFunction } from '../../../app/workers/worker-function.ts';

const timeMaxMs = 3_000;

/**
 * Parses Markdown in a worker: note content is untrusted, and 16 KiB of `- ` take a minute of processor
 * time.
 */
export const parseMarkdown = createWorkerFunction<string, object>(
  () => new Worker(new URL('markdown-worker.ts', import.meta.url), { type: 'module' }),
  timeMaxMs,
);

let last: Promise<unknown> = Promise.resolve();

/** The same for pieces of a note, one after another: each call beside another would start a worker of its own. */
export const parsePiece: typeof parseMarkdown = (task) => {
  const parsed = last.then(() => (task.signal.aborted ? null : parseMarkdown(task)));
  last = parsed.catch(() => undefined);
  return parsed;
};
