import { useRouter } from '@tanstack/react-router';

/**
 * Returns whether the page with a path is open, or about to be. With the response to a request, the operator may be on another
 * page by now.
 */
export const useIsAt = () => {
  const router = useRouter();
  return (pathname: string): boolean => router.latestLocation.pathname === pathname;
};
