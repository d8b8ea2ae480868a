import type { IncomingMessage } from 'node:http';

/** Whether the client has what this ETag names already (RFC 9110 section 13.1.2). */
export const matchesEtag = (req: IncomingMessage, etag: string): boolean => {
  const known = (req.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  return known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag);
};
