import type { ApiClient } from '../api-client.ts';
import type { Digest } from './digest.ts';
import type { Replica } from './replica.ts';

/** What a synchronisation works with. */
export type SyncContext = {
  readonly api: ApiClient;
  readonly replica: Replica;
  readonly digest: Digest;
};

/** How a synchronisation behaves. */
export type SyncOptions = {
  readonly signal?: AbortSignal;
  /** Hands more than one request's worth of changes to the server as background jobs. */
  readonly inBackground?: boolean;
  readonly onProgress?: (progress: SyncStep) => void;
};

/** How far a synchronisation is; sums over its whole course. */
export type SyncStep = {
  /** Changes answered, and changes that are still to be sent. */
  readonly pushed: number;
  readonly toPush: number;
  /** Notes that came from the server. */
  readonly pulled: number;
};
