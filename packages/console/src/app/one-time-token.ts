import { useState } from 'react';

/**
 * The token of a setup or invite link. It stands behind the `#`, so that no server and no log ever
 * sees it, and is taken out of the address as soon as it is read.
 */
export const useOneTimeToken = (): string => {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  return token;
};
