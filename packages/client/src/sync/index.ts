export {
  openSyncClient,
  type Edit,
  type PendingEdit,
  type SyncClient,
  type SyncClientOptions,
  type VisibleNote,
} from './sync-client.ts';
export type { LocalNote, Origin } from './local-note.ts';
export { isSameText, noteText, textKey, type NoteText } from './note-text.ts';
export { createMemoryStore } from './sync-store.ts';
export type { SyncProgress, SyncState, SyncStore, SyncWrite } from './sync-store.ts';
export type { SyncOptions, SyncCounts } from './sync-context.ts';
export type { SyncReport } from './synchronise.ts';
export type { SyncEvent } from './apply-response.ts';
export { isDiscardable } from './local-note.ts';
export { startSyncLoop, type SyncLoopOptions, type SyncLoop } from './sync-loop.ts';
export { watchHeads, type WatchOptions } from './watch-heads.ts';
