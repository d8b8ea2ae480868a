import type { Measurement } from '../measurement.ts';
import { agentsMe } from './agents-me.ts';
import { append } from './append.ts';
import { citus } from './citus.ts';
import { connect } from './connect.ts';
import { consoleInBrowser } from './console.ts';
import { context } from './context.ts';
import { editLarge } from './edit-large.ts';
import { emptyDelta } from './empty-delta.ts';
import { fairness } from './fairness.ts';
import { fairnessStored } from './fairness-stored.ts';
import { grants } from './grants.ts';
import { growth } from './growth.ts';
import { mcp } from './mcp.ts';
import { plans } from './plans.ts';
import { proposals } from './proposals.ts';
import { putContention } from './put-contention.ts';
import { readAtService } from './read-at-service.ts';
import { readNote } from './read-note.ts';
import { rename } from './rename.ts';
import { searchLatency } from './search-latency.ts';
import { searchMeaning } from './search-meaning.ts';
import { searchQuality } from './search-quality.ts';
import { stages } from './stages.ts';
import { storedBytes } from './stored-bytes.ts';
import { syncBulk } from './sync-bulk.ts';
import { syncThroughput } from './sync-throughput.ts';
import { traces } from './traces.ts';
import { undo } from './undo.ts';
import { usage } from './usage.ts';

/** The measurements of a full run on a running product, in order. */
export const measurements: readonly Measurement[] = [
  readNote,
  readAtService,
  mcp,
  connect,
  traces,
  agentsMe,
  putContention,
  usage,
  undo,
  grants,
  proposals,
  append,
  editLarge,
  syncBulk,
  // Makes the company of `context`, whose words the product counts within a minute.
  rename,
  emptyDelta,
  syncThroughput,
  context,
  fairness,
  fairnessStored,
  storedBytes,
];

/** Long measurements, which run only with `--only`. */
export const measurementsOnRequest: readonly Measurement[] = [
  growth,
  citus,
  plans,
  stages,
  searchQuality,
  searchLatency,
  searchMeaning,
  consoleInBrowser,
];
