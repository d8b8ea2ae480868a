import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

let remembered = '';

/**
 * The token of a setup or invite link. It stands behind the `#`, so that no server and no log ever
 * sees it. Whoever has to sign in first comes back without it: this page remembers it, and only this.
 */
export const useOneTimeToken = (): string => {
  // A second link opened in the same tab changes nothing but the hash, and the page stays.
  const hash = useLocation({ select: (location) => location.hash });
  const token = new URLSearchParams(hash).get('token') ?? remembered;
  useEffect(() => {
    remembered = token;
  }, [token]);
  return token;
};
