import { useState } from 'react';

let remembered = '';

/**
 * The token of a setup or invite link. It stands behind the `#`, so that no server and no log ever
 * sees it. Whoever has to sign in first comes back without it: this page remembers it, and only this.
 */
export const useOneTimeToken = (): string => {
  const [token] = useState(() => {
    remembered = new URLSearchParams(location.hash.slice(1)).get('token') ?? remembered;
    return remembered;
  });
  return token;
};
