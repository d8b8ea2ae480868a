import { useMatch, useRouter } from '@tanstack/react-router';

/**
 * Returns whether the page with a path is open, or about to be. With the response to a request, the operator may be on another
 * page by now.
 */
export const useIsAt = () => {
  const router = useRouter();
  return (pathname: string): boolean => router.latestLocation.pathname === pathname;
};

/** Returns whether the page with a path, or one below it, is open or about to be. */
export const useIsIn = () => {
  const router = useRouter();
  return (pathname: string): boolean =>
    `${router.latestLocation.pathname}/`.startsWith(`${pathname}/`);
};

/**
 * Returns whether the address is still that of the page which this is a part of. While the next page is loaded the last one is
 * there and can be used, but the address is that of the next one.
 */
export const useIsAtOwnPage = (): (() => boolean) => {
  const router = useRouter();
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  // By its route: as it was typed, an address may end with a slash, or have capitals.
  return () => router.matchRoutes(router.latestLocation).at(-1)?.pathname === pathname;
};
