/** Entity tags of a header, without quotes; `any`: `*`; null: no header. */
export type EntityTags = 'any' | 'malformed' | readonly string[] | null;

const entityTag = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Parses If-Match or If-None-Match of a write, which refuses malformed tags: without its condition it could overwrite
 * what the client has not seen. A weak tag counts as a strong one, because proxies weaken tags when they compress.
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

/**
 * True when the If-None-Match of a GET names this ETag, compared weakly (RFC 9110 section 13.1.2). A malformed tag
 * matches nothing, and does not refuse the request as it does with a write: the full response is always correct.
 */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => opaqueOf(tag.trim()) === opaqueOf(etag)));

const opaqueOf = (tag: string): string => tag.replace(/^W\//, '');
