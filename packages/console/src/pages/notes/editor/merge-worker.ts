import { mergeText, type Texts } from '@commonplace/merge';
import { serveWorker } from '../../../app/workers/serve-worker.ts';

serveWorker(({ base, ours, theirs }: Texts) => mergeText(base, ours, theirs));
