import { answerAsWorker } from '../../app/answer-as-worker.ts';
import { diffLines } from './diff-lines.ts';
import { diffTimeMaxMs, type DiffInput } from './diff-in-worker.ts';

answerAsWorker(({ before, after }: DiffInput) =>
  diffLines(before, after, { timeout: diffTimeMaxMs }),
);
