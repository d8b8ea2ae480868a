import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A content in every content coding it can be sent in. */
export type Encodings = {
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
};

/** One of them. Every coding has its own ETag (RFC 9110 section 8.8.3.3). */
export type EncodedBody = {
  readonly encoding: 'br' | 'gzip' | null;
  readonly body: Buffer;
  readonly etag: string;
};

/** Higher qualities take seconds to save one percent. */
const brotliQuality = 9;

/** Compresses a text in every coding, in the thread pool. */
export const compress = async (text: string): Promise<Encodings> => {
  const plain = Buffer.from(text);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
    }),
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { plain, brotli, gzip: gzipped };
};

/** The smallest coding that a client accepts. `digest` identifies the content. */
export const encodingFor = (
  { plain, brotli, gzip: gzipped }: Encodings,
  digest: string,
  acceptEncoding: string | undefined,
): EncodedBody => {
  const accepts = acceptedCodings(acceptEncoding ?? '');
  if (brotli && accepts('br')) {
    return { encoding: 'br', body: brotli, etag: `"${digest}-br"` };
  }
  return gzipped && accepts('gzip')
    ? { encoding: 'gzip', body: gzipped, etag: `"${digest}-gzip"` }
    : { encoding: null, body: plain, etag: `"${digest}"` };
};

/**
 * Returns whether a client accepts a coding (RFC 9110 section 12.5.3): the header names it, or `*`, without
 * `q=0`.
 */
const acceptedCodings = (header: string): ((coding: string) => boolean) => {
  const named = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((piece) => piece.trim()))
      .map(([coding = '', quality]) => [coding, !/^q\s*=\s*0(?:\.0*)?$/.test(quality ?? '')]),
  );
  return (coding) => named.get(coding) ?? named.get('*') ?? false;
};
