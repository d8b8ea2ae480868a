import { combineTexts, type Texts } from '@commonplace/merge';
import { serveWorker } from '../../../app/workers/serve-worker.ts';

serveWorker((texts: Texts) => combineTexts(texts));
