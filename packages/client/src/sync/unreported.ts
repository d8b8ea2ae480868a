import type { SyncEvent } from './apply-response.ts';

/** What synchronisations have received, and no report has said yet. */
export type Unreported = {
  readonly events: SyncEvent[];
  readonly pulledIds: string[];
  isServerRestored: boolean;
};

/** Returns empty lists, to which a synchronisation adds. */
export const nothingUnreported = (): Unreported => ({
  events: [],
  pulledIds: [],
  isServerRestored: false,
});
