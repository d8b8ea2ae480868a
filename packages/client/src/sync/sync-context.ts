import type { ApiClient } from '../api-client.ts';
import type { Digest } from './digest.ts';
import type { FollowProposals } from './follow-proposals.ts';
import type { PagePace } from './page-pace.ts';
import type { Replica } from './replica.ts';
import type { Unreported } from './unreported.ts';
import type { UploadPace } from './upload-pace.ts';

/** The dependencies of a synchronisation. */
export type SyncContext = {
  readonly api: ApiClient;
  readonly replica: Replica;
  readonly digest: Digest;
  readonly pace: UploadPace;
  readonly pages: PagePace;
  /** Whether changes may become proposals. Servers of earlier releases refuse requests that say so. */
  readonly proposals: boolean;
  readonly followProposals: FollowProposals;
  /** What a synchronisation received that failed. */
  unreported: Unreported;
};

/** Options of a synchronisation. */
export type SyncOptions = {
  readonly signal?: AbortSignal;
  /** Sends changes that exceed one request as background jobs. */
  readonly inBackground?: boolean;
  readonly onProgress?: (progress: SyncCounts) => void;
};

/** The progress of a synchronisation since its start. */
export type SyncCounts = {
  /** Changes with a result, and changes still to be sent. */
  readonly pushed: number;
  readonly toPush: number;
  /** Notes received from the server. */
  readonly pulled: number;
};
