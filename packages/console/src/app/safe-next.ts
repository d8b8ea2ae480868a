/** Where to go after signing in: a path of this origin, or the start. Anything else is a trap. */
export const safeNext = (next: string | undefined): string => {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, location.origin)) {
    return '/';
  }
  const url = new URL(next, location.origin);
  const isOwn = url.origin === location.origin && !url.pathname.startsWith('/login');
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/';
};
