import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { UndoneVersions } from '../rules/decide-sync.ts';
import type { UndoChange } from './change.ts';
import type { Merge } from './merges.ts';
import type { MutationLog } from './mutation-log.ts';
import type { ParsePut } from './parse-put.ts';
import type { StagedNotes } from './staged-notes.ts';
import type { StagedProposals } from './staged-proposals.ts';
import type { TitledNotes } from './titled-notes.ts';
import type { VersionCache } from './version-cache.ts';

/** Everything a transaction needs to decide changes. */
export type BatchState = {
  readonly companyId: CompanyId;
  readonly texts: VersionCache;
  readonly merge: Merge;
  readonly titledNotes: TitledNotes;
  readonly stagedNotes: StagedNotes;
  readonly mutations: MutationLog;
  readonly proposals: StagedProposals;
  readonly foreignIds: ReadonlySet<NoteId>;
  readonly parsePut: ParsePut;
  /** The versions of a note that earlier undos took out. */
  readonly undoneOf: (id: NoteId) => UndoneVersions;
  /** The undos that wrote a version. */
  readonly undone: UndoChange[];
};
