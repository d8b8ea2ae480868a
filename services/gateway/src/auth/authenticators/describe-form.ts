/** Of a bearer that passes every check of its form. */
export const unknownBearer =
  'The bearer token is not valid: it was revoked, has expired, is of a run that has ended, or is of another instance';

/**
 * Says what is wrong with the form of a bearer: MCP clients show this text to the person who configures them. Everybody
 * can check the form, so that it gives nothing away, and the text never repeats what was sent.
 */
export const describeForm = (text: string): string => {
  if (text === '') {
    return 'The Authorization header is not of the form "Bearer <key>"';
  }
  if (/^cp[ck]_/.test(text)) {
    return 'The bearer token is not valid: it was cut off or mistyped';
  }
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
    ? 'The bearer token is not valid: it has expired, or is of another instance'
    : 'The bearer token is neither an API key nor the token of a run or a connection';
};
