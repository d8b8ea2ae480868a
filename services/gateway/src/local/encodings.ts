import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A text or file in every content coding it can be sent in. */
export type Encodings = {
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
};

/** One of them, with what tells it from the others (RFC 9110 section 8.8.3.3: a coding has its own ETag). */
export type EncodedBody = {
  readonly encoding: 'br' | 'gzip' | null;
  readonly body: Buffer;
  readonly etag: string;
};

/** Beyond this the brotli compressor takes seconds for a percent. */
const brotliQuality = 9;

/** Compresses a text in every way, off the event loop. */
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

/** The smallest form that a client takes; `digest` names the content. */
export const encodingFor = (
  { plain, brotli, gzip: gzipped }: Encodings,
  digest: string,
  acceptEncoding: string | undefined,
): EncodedBody => {
  const takes = codingsOf(acceptEncoding ?? '');
  if (brotli && takes('br')) {
    return { encoding: 'br', body: brotli, etag: `"${digest}-br"` };
  }
  return gzipped && takes('gzip')
    ? { encoding: 'gzip', body: gzipped, etag: `"${digest}-gzip"` }
    : { encoding: null, body: plain, etag: `"${digest}"` };
};

/**
 * Tells whether a client takes a coding (RFC 9110 section 12.5.3): it names it, or everything by `*`,
 * without refusing it by `q=0`.
 */
const codingsOf = (header: string): ((coding: string) => boolean) => {
  const named = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((piece) => piece.trim()))
      .map(([coding = '', quality]) => [coding, !/^q\s*=\s*0(?:\.0*)?$/.test(quality ?? '')]),
  );
  return (coding) => named.get(coding) ?? named.get('*') ?? false;
};
