import type { SyncChange } from '@commonplace/contracts/notes';
import type { Outcome } from './change.ts';

/** A change of a client, and what became of it. */
export type Pushed = { readonly change: SyncChange; readonly outcome: Outcome };

/** A change that an earlier part pushed and that was not rejected, and what became of it. */
export type EarlierPush = {
  readonly change: SyncChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};
