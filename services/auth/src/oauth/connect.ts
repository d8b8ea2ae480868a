import { connectPath, connectResourcePath } from '@commonplace/contracts/auth';
import { consentCookieList, consentCookieNames } from '@commonplace/identity';
import type { Provider } from 'oidc-provider';
import {
  callLibrary,
  collectFailures,
  type LibraryRequest,
  type LibraryResponse,
} from './call-library.ts';
import { createProvider, type ProviderOptions } from './create-provider.ts';

/** The OAuth server of this instance. */
export type Connect = {
  readonly issuer: string;
  readonly resources: readonly [string, ...string[]];
  /** Redirect URIs of other hosts are allowed; on an instance without accounts they are not. */
  readonly allowsRemoteClients: boolean;
  readonly takesRegistrations: boolean;
  readonly provider: () => Promise<Provider>;
  readonly call: (request: LibraryRequest) => Promise<LibraryResponse>;
};

export type ConnectOptions = Omit<ProviderOptions, 'issuer' | 'resources' | 'cookieNames'> & {
  /** Where clients reach this instance. */
  readonly origin: string;
  /** `/mcp` is a resource beside `/connect/mcp`. */
  readonly isAtMcp: boolean;
};

/** Creates the OAuth server of the instance at an origin. */
export const createConnect = (options: ConnectOptions): Connect => {
  const { origin, isHttps, isAtMcp } = options;
  const issuer = origin + connectPath;
  const atMcp = isAtMcp ? [`${origin}/mcp`] : [];
  const resources = [origin + connectResourcePath, ...atMcp] as const;
  const create = async () => {
    const cookieNames = consentCookieNames(isHttps);
    const provider = await createProvider({ ...options, issuer, resources, cookieNames });
    return { provider, failures: collectFailures(provider) };
  };
  let created: ReturnType<typeof create> | null = null;
  const library = (): ReturnType<typeof create> => (created ??= create());
  const cookieNames = consentCookieList(isHttps);
  return {
    issuer,
    resources,
    allowsRemoteClients: options.allowsRemoteClients,
    takesRegistrations: options.takesRegistrations,
    provider: async () => (await library()).provider,
    call: async (request) => callLibrary({ ...(await library()), issuer, cookieNames }, request),
  };
};
