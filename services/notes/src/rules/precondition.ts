import { rejected, type Decision } from './decision.ts';
import { isActive, type NoteState } from './note-state.ts';

/** Entity tags of a header, as `parseEntityTags` of packages/http returns them. */
type EntityTags = 'any' | 'malformed' | readonly string[] | null;

/** The conditions of a request on the note it changes (RFC 9110 section 13.1). */
export type Precondition = { readonly ifMatch: EntityTags; readonly ifNoneMatch: EntityTags };

/** No condition: the change applies to any version. */
export const noPrecondition: Precondition = { ifMatch: null, ifNoneMatch: null };

/** Rejects a condition that cannot be parsed, because it must not be ignored; null: well-formed. */
export const rejectMalformed = ({ ifMatch, ifNoneMatch }: Precondition): Decision | null =>
  ifMatch === 'malformed' || ifNoneMatch === 'malformed'
    ? rejected('malformed_header', 'If-Match and If-None-Match take entity tags like "3", or *.')
    : null;

/** Rejects a note that does not meet the conditions; null: it does. A tombstone counts as absent. */
export const rejectUnmet = (
  { ifMatch, ifNoneMatch }: Precondition,
  note: NoteState | null,
): Decision | null =>
  (ifMatch !== null && !matches(ifMatch, note)) ||
  (ifNoneMatch !== null && matches(ifNoneMatch, note))
    ? rejected('precondition_failed', 'The note is not as the request expects it to be.')
    : null;

/** As `rejectUnmet`, but a deletion may be named by its revision, so that only this one is taken back. */
export const rejectUnmetRestore = (
  precondition: Precondition,
  note: NoteState,
): Decision | null => {
  const { ifMatch } = precondition;
  const isNamed = Array.isArray(ifMatch) && ifMatch.includes(`${note.revision}`) && !isActive(note);
  return isNamed ? null : rejectUnmet(precondition, note);
};

const matches = (tags: Exclude<EntityTags, null>, note: NoteState | null): boolean =>
  isActive(note) &&
  (tags === 'any' || tags.includes(String(note.revision)) || tags.includes(namedTagOf(note)));

/**
 * The entity tag of a note where its address does not say which note it is: another one of the same title has the same
 * revisions.
 */
export const namedTagOf = ({ id, revision }: Pick<NoteState, 'id' | 'revision'>): string =>
  `${revision}-${id}`;
