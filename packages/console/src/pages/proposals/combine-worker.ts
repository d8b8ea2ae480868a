import { combineTexts, type Texts } from '@commonplace/merge';
import { serveWorker } from '../../app/serve-worker.ts';

serveWorker((texts: Texts) => combineTexts(texts));
