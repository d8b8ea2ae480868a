import { isIP } from 'node:net';

/** The site that passkeys are for: a browser refuses them anywhere else. */
export type PasskeySite = { readonly rpId: string; readonly origin: string };

/**
 * The site of PUBLIC_URL. Without one, that of `localhost` with the port of the gateway. Null if the
 * host is an address, for which browsers make no passkeys.
 */
export const passkeySite = (urls: {
  readonly PUBLIC_URL?: string | undefined;
  readonly GATEWAY_URL: string;
}): PasskeySite | null => {
  if (urls.PUBLIC_URL === undefined) {
    const { port } = new URL(urls.GATEWAY_URL);
    return { rpId: 'localhost', origin: `http://localhost${port === '' ? '' : `:${port}`}` };
  }
  const { hostname, origin } = new URL(urls.PUBLIC_URL);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpId: hostname, origin } : null;
};
