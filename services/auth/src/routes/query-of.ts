import type { RawExchange } from '../deps.ts';

/** The query of a request as it was sent, behind the first `?`; it may contain others (RFC 3986, section 3.4). */
export const queryOf = ({ req: { url = '' } }: Pick<RawExchange, 'req'>): string => {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
};
