/** Where to go after signing in: a path of this origin, else the home page (no open redirects). */
export const safeNext = (next: string | undefined): string => {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, location.origin)) {
    return '/';
  }
  const url = new URL(next, location.origin);
  // `/.//host` has the path `//host`, which would be resolved to another host.
  const isOwn = url.origin === location.origin && !/^\/(?:login|enrol|\/)/.test(url.pathname);
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/';
};

/** The search of a page that leads back to this one. */
export const nextOf = (href: string): { readonly next?: string } =>
  href === '/' ? {} : { next: href };

/** Whether a path leads to no page of the console: the request of an app begins there. */
export const isOutsideConsole = (path: string): boolean => path.startsWith('/connect/authorize?');
