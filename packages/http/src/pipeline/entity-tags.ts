/** Entity tags of a header, without quotes; `any`: `*`; null: no header. */
export type EntityTags = 'any' | 'malformed' | readonly string[] | null;

const entityTag = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Parses If-Match or If-None-Match. A weak tag counts as a strong one, because proxies weaken tags when
 * they compress.
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
