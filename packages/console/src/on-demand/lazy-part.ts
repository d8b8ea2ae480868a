import { lazy } from 'react';
import { loadAgain } from './load-again.ts';

/**
 * A part of a page whose code is loaded with it, but not needed at once. Unlike a component of `lazy` it tries again
 * while the server is unavailable: `lazy` remembers a failure, and the page around it would fail until it is reloaded.
 */
export const lazyPart = <Props extends object>(load: () => Promise<React.ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadAgain(load) }));
