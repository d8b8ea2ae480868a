import { queryOptions } from '@tanstack/react-query';

const path = '/connect/mcp';

/**
 * The address for apps, as the metadata of this instance has it: an app compares both, and the console may be open at
 * another name of this machine.
 */
export const appAddressQuery = queryOptions({
  queryKey: ['app-address'],
  queryFn: async ({ signal }): Promise<string> => {
    const response = await fetch(`/.well-known/oauth-protected-resource${path}`, { signal });
    const { resource } = response.ok ? ((await response.json()) as { resource?: string }) : {};
    return resource ?? `${location.origin}${path}`;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
