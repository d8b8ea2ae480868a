import { serveWorker } from '../../../app/workers/serve-worker.ts';
import { diffLines } from './diff-lines.ts';
import { diffTimeMaxMs, type DiffInput } from './diff-in-worker.ts';

serveWorker(({ before, after }: DiffInput) => diffLines(before, after, { timeout: diffTimeMaxMs }));
