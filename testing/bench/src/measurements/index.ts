import type { Measurement } from '../measurement.ts';
import { agentsMe } from './agents-me.ts';
import { emptyDelta } from './empty-delta.ts';
import { fairness } from './fairness.ts';
import { fairnessStored } from './fairness-stored.ts';
import { growth } from './growth.ts';
import { plans } from './plans.ts';
import { putHot } from './put-hot.ts';
import { readAtService } from './read-at-service.ts';
import { readNote } from './read-note.ts';
import { syncBulk } from './sync-bulk.ts';
import { syncThroughput } from './sync-throughput.ts';

/** What a whole run measures on a running product, in this order. */
export const measurements: readonly Measurement[] = [
  readNote,
  readAtService,
  agentsMe,
  putHot,
  syncBulk,
  emptyDelta,
  syncThroughput,
  fairness,
  fairnessStored,
];

/** What takes too long to be measured unasked: `--only` names it. */
export const measurementsOnRequest: readonly Measurement[] = [growth, plans];
