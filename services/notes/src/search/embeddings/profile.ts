import { hash } from 'node:crypto';
import type { EmbeddingsOptions } from '@commonplace/config';
import { chunkerVersion } from './chunk-note.ts';

/** What vectors depend on: model, dimensions, the version of the chunks and the prefix. Vectors of another profile are not compared. */
export const profileOf = ({
  model,
  dimensions,
  passagePrefix,
}: Pick<EmbeddingsOptions, 'model' | 'dimensions' | 'passagePrefix'>): string =>
  [model, dimensions, `chunks ${chunkerVersion}`, hash('sha256', passagePrefix).slice(0, 8)].join(
    ', ',
  );
