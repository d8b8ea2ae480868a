/**
 * True when If-None-Match names this ETag, compared weakly (RFC 9110 section 13.1.2). A malformed header
 * matches nothing: the full response is always correct.
 */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => opaqueOf(tag.trim()) === opaqueOf(etag)));

const opaqueOf = (tag: string): string => tag.replace(/^W\//, '');
