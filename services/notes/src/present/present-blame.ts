import type { Author, BlameRange } from '@commonplace/contracts/notes';
import type { ByProposal, RevisionSummaryRow } from '../queries/versions.ts';
import { presentAuthor } from './present-note.ts';

type OriginRange = Pick<BlameRange, 'fromLine' | 'toLine'> & {
  readonly origin: { readonly version: RevisionSummaryRow; readonly isAtOrBefore: boolean };
};

type UnnamedRange = Omit<BlameRange, 'author' | 'proposal'> & {
  readonly author: Author;
  readonly acceptance: ByProposal['acceptance'];
};

/** The lines of a note with their origins; authors have no names yet. */
export const presentBlame = (
  { noteId, revision }: RevisionSummaryRow,
  lines: number,
  ranges: readonly OriginRange[],
) => ({
  noteId,
  revision,
  lines,
  truncated: ranges.some(({ origin }) => origin.isAtOrBefore),
  ranges: ranges.map(presentRange),
});

const presentRange = ({ fromLine, toLine, origin }: OriginRange): UnnamedRange => ({
  fromLine,
  toLine,
  revision: origin.version.revision,
  at: origin.version.createdAt.toISOString(),
  author: presentAuthor({
    kind: origin.version.createdByKind,
    id: origin.version.createdById,
    runId: origin.version.createdByRunId,
    keyId: origin.version.createdByKeyId,
    connectionId: origin.version.createdByConnectionId,
    via: origin.version.via,
  }),
  acceptance: origin.version.acceptance,
  atOrBefore: origin.isAtOrBefore,
});
