/** Whether the type of a body is the one its route reads. */
export const isReadableType = (
  contentType: string | undefined,
  bodyType: 'json' | 'form' = 'json',
): boolean =>
  bodyType === 'form'
    ? /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '')
    : isJsonInUtf8(contentType);

/**
 * True for JSON in UTF-8 only. The depth is checked on the raw bytes: in UTF-16, part of a letter can look like a
 * quotation mark and hide what is nested behind it.
 */
const isJsonInUtf8 = (contentType: string | undefined): boolean =>
  /^application\/json\s*(?:;|$)/i.test(contentType ?? '') &&
  [...(contentType ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi)].every(
    ([, charset]) => charset?.toLowerCase() === 'utf-8',
  );
