import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

let remembered = '';

/**
 * The token of a setup or invite link. It is in the fragment, so that no server and no log ever sees it.
 * After signing in, the address has no token any more, so it is kept in memory.
 */
export const useOneTimeToken = (): string => {
  // A second link opened in the same tab changes only the fragment, without a new page load.
  const hash = useLocation({ select: (location) => location.hash });
  const token = new URLSearchParams(hash).get('token') ?? remembered;
  useEffect(() => {
    remembered = token;
  }, [token]);
  return token;
};
