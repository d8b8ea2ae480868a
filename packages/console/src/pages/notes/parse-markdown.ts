import { inWorker } from '../../app/in-worker.ts';

const timeMaxMs = 3_000;

/**
 * Parses Markdown in a worker: 16 KiB of `- ` keep a processor busy for a minute, and notes are written by
 * programs and strangers.
 */
export const parseMarkdown = inWorker<string, object>(
  () => new Worker(new URL('markdown-worker.ts', import.meta.url), { type: 'module' }),
  timeMaxMs,
);
