import { rejected, type Decision } from './decision.ts';
import { isActive, type NoteState } from './note-state.ts';

/** Entity tags of a header, without quotes; `any` is `*`; null: the header is absent. */
export type EntityTags = 'any' | 'malformed' | readonly string[] | null;

/** The conditions a request puts on the note it changes (RFC 9110 section 13.1). */
export type Precondition = { readonly ifMatch: EntityTags; readonly ifNoneMatch: EntityTags };

const entityTag = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Reads If-Match or If-None-Match. A weak tag is taken like a strong one, because proxies weaken tags
 * when they compress.
 */
export const parseEntityTags = (header: string | undefined): EntityTags => {
  if (header === undefined) {
    return null;
  }
  if (header.trim() === '*') {
    return 'any';
  }
  const tags = header.split(',').map((part) => entityTag.exec(part.trim())?.[1]);
  return tags.every((tag) => tag !== undefined) ? tags : 'malformed';
};

/** A condition that cannot be read is refused, because it must not be lost; null: it can be read. */
export const refuseMalformed = ({ ifMatch, ifNoneMatch }: Precondition): Decision | null =>
  ifMatch === 'malformed' || ifNoneMatch === 'malformed'
    ? rejected('malformed_header', 'If-Match and If-None-Match take entity tags like "3", or *.')
    : null;

/** Refuses a note that is not as the request wants it; null: it is. A tombstone counts as no note. */
export const refuseUnmet = (
  { ifMatch, ifNoneMatch }: Precondition,
  note: NoteState | null,
): Decision | null =>
  (ifMatch !== null && !matches(ifMatch, note)) ||
  (ifNoneMatch !== null && matches(ifNoneMatch, note))
    ? rejected('precondition_failed', 'The note is not as the request expects it to be.')
    : null;

const matches = (tags: Exclude<EntityTags, null>, note: NoteState | null): boolean =>
  isActive(note) && (tags === 'any' || tags.includes(String(note.revision)));
