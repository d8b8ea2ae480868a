export {
  openSyncClient,
  type Edit,
  type SyncClient,
  type SyncClientOptions,
  type VisibleNote,
} from './sync-client.ts';
export type { LocalNote, Origin } from './local-note.ts';
export { isSameText, noteText, textKey, type NoteText } from './note-text.ts';
export { createMemoryStore } from './sync-store.ts';
export type { SyncProgress, SyncState, SyncStore, SyncWrite } from './sync-store.ts';
export type { SyncOptions, SyncStep } from './sync-context.ts';
export type { SyncReport } from './synchronise.ts';
export type { SyncEvent } from './take-answer.ts';
export { isForgotten } from './local-note.ts';
export { stayInStep, type StepOptions, type Stepper } from './stay-in-step.ts';
export { watchHeads, type WatchOptions } from './watch-heads.ts';
