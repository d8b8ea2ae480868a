import type { AsyncRouteComponent } from '@tanstack/react-router';
import { reloadOtherVersion } from '../on-demand/earlier-version.ts';

/** A component of a route. */
export type LazyPage = AsyncRouteComponent<object> & { readonly isLoaded: () => boolean };

type Pages<Name extends string> = Readonly<Record<Name, React.ComponentType>>;

/** For so long a failure is that of the page; afterwards rendering it tries again. */
const failedMs = 1_000;

/**
 * A page whose code is loaded with the first visit, or when a link to it is hovered. Unlike the router's own it does not load
 * the document again where the server cannot be reached, which ends in the browser's error page. Only if the server
 * responds without the file, the document is of an earlier version, and is loaded again.
 */
export const lazyPage = <Name extends string>(
  load: () => Promise<Pages<Name>>,
  name: Name,
): LazyPage => {
  let page: React.ComponentType | null = null;
  let failure: { readonly error: unknown; readonly atMs: number } | null = null;
  let loading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    try {
      page = (await load())[name];
      failure = null;
    } catch (error) {
      failure = { error, atMs: Date.now() };
    }
    loading = null;
  };
  const preload = async (): Promise<void> => {
    if (page === null) {
      await (loading ??= read());
    }
  };
  const Lazy = () => {
    const Page = page;
    if (Page) {
      return <Page />;
    }
    if (failure && Date.now() - failure.atMs < failedMs) {
      throw reloadOtherVersion(failure.error) ? new Promise(() => undefined) : failure.error;
    }
    // oxlint-disable-next-line typescript/only-throw-error -- suspends
    throw preload();
  };
  return Object.assign(Lazy, { preload, isLoaded: () => page !== null });
};

/** Whether the error is that the code of a page could not be loaded: the server cannot be reached. */
export const isNotLoaded = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.message.startsWith('Failed to fetch dynamically imported module');
