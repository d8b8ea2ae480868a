import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { revisionQuery } from '../../api/note-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { mergeNoteTexts } from '../notes/editor/merge-note-texts.ts';
import { textOf, type NoteText } from '../notes/note-text.ts';

type Detail = Schema<'ProposalDetail'>;

/** What a proposal says of a note. */
export type Fields = NoteText & Pick<Schema<'NoteData'>, 'properties'>;

/** A note before and after a proposal. */
export type Comparison =
  /** Its text is not kept: a later one replaced it, or it ended long ago. */
  | { readonly kind: 'gone' }
  /** The note has been deleted. */
  | { readonly kind: 'deleted'; readonly after: Fields }
  | { readonly kind: 'new'; readonly after: Fields }
  | {
      readonly kind: 'change';
      readonly before: Fields;
      readonly after: Fields;
      /** Others changed the note since, and their changes are in both. */
      readonly isMerged: boolean;
    }
  /** Others changed the same lines; null: the version that the proposal changes is no longer stored. */
  | { readonly kind: 'overlap'; readonly base: Fields | null; readonly after: Fields };

/**
 * What accepting a proposal makes of the note as it is now, merged as the server does; of a decided one, what it changes of
 * the version that it was made from. Null while that is being read.
 */
export const useComparison = (detail: Detail): Comparison | null => {
  const { companyId, id, noteId, content, current, baseRevision, proposalOf, state } = detail;
  const isOpen = state === 'open';
  const isBehind = current !== null && current.revision !== baseRevision;
  const isBaseNeeded = content !== null && proposalOf !== null && (isBehind || !isOpen);
  const base = useQuery({
    ...revisionQuery(companyId, noteId, baseRevision ?? 0),
    enabled: isBaseNeeded && baseRevision !== null,
  });
  const merged = useQuery({
    queryKey: [...keys.proposal(companyId, id), 'merged', current?.revision ?? 0],
    queryFn: ({ signal }) =>
      current && base.data
        ? mergeNoteTexts(
            { base: textOf(base.data), mine: proposedOf(detail), theirs: textOf(current) },
            signal,
          )
        : null,
    enabled: isOpen && isBehind && base.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isWithoutBase = baseRevision === null || base.isError;
  const version = base.data ? fieldsOf(base.data) : isWithoutBase ? null : undefined;
  // Without a result here, the texts are combined: that finds the same.
  return compare(detail, { base: version, merged: merged.isError ? null : merged.data });
};

/** What was read of the version that a proposal changes; null: there is none, undefined: not yet. */
type Read = {
  readonly base: Fields | null | undefined;
  /** Null: others changed the same lines. */
  readonly merged: NoteText | null | undefined;
};

const compare = (detail: Detail, read: Read): Comparison | null => {
  const { content, current, baseRevision, proposalOf, state } = detail;
  if (content === null) {
    return { kind: 'gone' };
  }
  const after = proposedOf(detail);
  if (proposalOf === null) {
    return { kind: 'new', after };
  }
  if (state !== 'open') {
    const before = read.base === null && current ? fieldsOf(current) : read.base;
    return before ? { kind: 'change', before, after, isMerged: false } : null;
  }
  if (current === null) {
    return { kind: 'deleted', after };
  }
  return current.revision === baseRevision
    ? { kind: 'change', before: fieldsOf(current), after, isMerged: false }
    : compareMerged({ before: fieldsOf(current), after }, read);
};

const compareMerged = (
  { before, after }: { readonly before: Fields; readonly after: Fields },
  { base, merged }: Read,
): Comparison | null => {
  if (base === null) {
    return { kind: 'overlap', base, after };
  }
  if (base === undefined || merged === undefined) {
    return null;
  }
  if (merged === null) {
    return { kind: 'overlap', base, after };
  }
  const properties = isSame(base.properties, after.properties)
    ? before.properties
    : after.properties;
  return { kind: 'change', before, after: { ...merged, properties }, isMerged: true };
};

const proposedOf = (detail: Detail): Fields =>
  fieldsOf({ ...detail, content: detail.content ?? '' });

const fieldsOf = (note: Fields): Fields => ({ ...textOf(note), properties: note.properties });

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
