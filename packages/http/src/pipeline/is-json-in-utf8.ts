/**
 * JSON in UTF-8 and nothing else: the bytes are looked at before they are parsed, and in UTF-16 a
 * letter can look like a quotation mark there, and hide what is nested behind it.
 */
export const isJsonInUtf8 = (contentType: string | undefined): boolean =>
  /^application\/json\s*(?:;|$)/i.test(contentType ?? '') &&
  [...(contentType ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi)].every(
    ([, charset]) => charset?.toLowerCase() === 'utf-8',
  );
