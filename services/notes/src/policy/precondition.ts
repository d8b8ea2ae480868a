import { AppError } from '@commonplace/contracts';
import { isLiving, type NoteState } from './note-state.ts';

/** Entity tags of a header, without quotes; `any` is `*`; null: the header is absent. */
export type EntityTags = 'any' | readonly string[] | null;

/** The conditions a request puts on the note it changes (RFC 9110 section 13.1). */
export type Precondition = { readonly ifMatch: EntityTags; readonly ifNoneMatch: EntityTags };

const entityTag = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Reads If-Match or If-None-Match. A weak tag is taken like a strong one, because proxies weaken tags
 * when they compress. Anything malformed is 400: a condition must not be lost.
 */
export const parseEntityTags = (header: string | undefined): EntityTags => {
  if (header === undefined) {
    return null;
  }
  if (header.trim() === '*') {
    return 'any';
  }
  return header.split(',').map((part) => {
    const tag = entityTag.exec(part.trim())?.[1];
    if (tag === undefined) {
      throw new AppError(
        'malformed_header',
        'If-Match and If-None-Match take entity tags like "3", or *.',
      );
    }
    return tag;
  });
};

/** True when the note is as the request wants it to be. A tombstone counts as no note. */
export const holds = ({ ifMatch, ifNoneMatch }: Precondition, note: NoteState | null): boolean =>
  (ifMatch === null || matches(ifMatch, note)) &&
  (ifNoneMatch === null || !matches(ifNoneMatch, note));

const matches = (tags: 'any' | readonly string[], note: NoteState | null): boolean =>
  isLiving(note) && (tags === 'any' || tags.includes(String(note.revision)));
