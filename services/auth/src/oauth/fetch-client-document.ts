import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { readBounded } from '@commonplace/http';
import { registrationOf } from './client-metadata.ts';
import { isPublicAddress } from './is-public-address.ts';

/** Ample for a name, a few addresses and a logo. */
const documentBytesMax = 8 * 1_024;
const timeoutMs = 2_500;

type Lookup = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type DocumentOptions = {
  /** Redirect URIs of other hosts are allowed. */
  readonly allowsRemote: boolean;
  /** For tests: names resolve differently, loopback is public, and certificates of theirs are trusted. */
  readonly network?: {
    readonly lookup: Lookup;
    readonly isPublic: (address: string) => boolean;
    readonly ca: string;
  };
};

/**
 * Creates the `fetch` of the library, which uses it for metadata documents of clients. Anybody can name one: so only public
 * addresses are connected to, which is checked where the connection is made and not before, when a name could still resolve
 * differently; it follows no redirect, and ends after 2.5 s or 8 KB. Of the document only what a registration may contain is
 * taken.
 */
export const createDocumentFetch = ({ allowsRemote, network }: DocumentOptions) => {
  const isPublic = network?.isPublic ?? isPublicAddress;
  const lookup = guardedLookup(network?.lookup ?? (systemLookup as unknown as Lookup), isPublic);
  let created: ReturnType<typeof createClient> | null = null;
  return async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(typeof input === 'object' && 'url' in input ? input.url : input);
    const { hostname, protocol } = url;
    const host = hostname.replace(/^\[|\]$/g, '');
    if (protocol !== 'https:' || (isIP(host) !== 0 && !isPublic(host))) {
      throw new Error(`${hostname} is no public address`);
    }
    created ??= createClient(lookup, network?.ca);
    const { fetch, dispatcher } = await created;
    const response = await fetch(url.href, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return new Response(null, { status: 404 });
    }
    const bytes = await readBounded(
      response.body,
      documentBytesMax,
      () => new Error(`a document of more than ${documentBytesMax} bytes`),
    );
    return asRegistration(bytes.toString('utf8'), allowsRemote);
  };
};

/** Loaded with the first document, because it takes memory and time. */
const createClient = async (lookup: ReturnType<typeof guardedLookup>, ca: string | undefined) => {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({
    connect: { lookup: lookup as never, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
    maxResponseSize: documentBytesMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return { fetch, dispatcher };
};

/** Resolves a name, and fails if any of its addresses is not public: the connection would choose one. */
const guardedLookup =
  (lookup: Lookup, isPublic: (address: string) => boolean) =>
  (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, ...found: readonly unknown[]) => void,
  ): void =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) {
        callback(error ?? new Error(`${hostname} has no address`));
      } else if (!addresses.every(({ address }) => isPublic(address))) {
        callback(new Error(`${hostname} has an address that is not public`));
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });

/** The library compares the id; of the rest, what a client may register is taken. */
const asRegistration = (text: string, allowsRemote: boolean): Response => {
  const document = JSON.parse(text) as unknown;
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return new Response(null, { status: 404 });
  }
  const given = document as Readonly<Record<string, unknown>>;
  const registration = registrationOf(given, allowsRemote);
  return 'fault' in registration
    ? new Response(null, { status: 404 })
    : Response.json({ client_id: given['client_id'], ...registration });
};
