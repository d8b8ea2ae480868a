import type { Exchange } from '../exchange.ts';
import type { ConsoleFile } from './console-files.ts';
import { isKnown } from './is-known.ts';

const yearSeconds = 31_536_000;

/** Sends a file as small as the client can read it; one whose name holds its hash is kept for ever. */
export const sendFile = ({ req, res }: Exchange, file: ConsoleFile): void => {
  res.setHeader('Content-Type', file.contentType);
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('ETag', file.etag);
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader(
    'Cache-Control',
    file.isHashed ? `public, max-age=${yearSeconds}, immutable` : 'public, no-cache',
  );
  if (isKnown(req, file.etag)) {
    res.writeHead(304).end();
    return;
  }
  const { encoding, body } = smallest(file, req.headers['accept-encoding']);
  if (encoding !== null) {
    res.setHeader('Content-Encoding', encoding);
  }
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
};

type Form = { readonly encoding: 'br' | 'gzip' | null; readonly body: Buffer };

const smallest = ({ plain, brotli, gzip }: ConsoleFile, accepted: string | undefined): Form => {
  const codings = acceptedCodings(accepted ?? '');
  if (brotli && codings.has('br')) {
    return { encoding: 'br', body: brotli };
  }
  return gzip && codings.has('gzip')
    ? { encoding: 'gzip', body: gzip }
    : { encoding: null, body: plain };
};

/** The codings a client names without refusing them by `q=0` (RFC 9110 section 12.5.3). */
const acceptedCodings = (header: string): ReadonlySet<string> =>
  new Set(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((piece) => piece.trim()))
      .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
      .map(([coding = '']) => coding),
  );
