import { lazy, useState } from 'react';
import { loadAgain } from './load-again.ts';

type LazyPart<Props> = React.FunctionComponent<Props> & {
  /** Loads the code ahead of rendering; fails if it cannot be loaded. */
  readonly preload: () => Promise<void>;
};

/**
 * A part of a page whose code is loaded with it, but not needed at once. Unlike a component of `lazy` it tries again
 * while the server is unavailable: `lazy` remembers a failure, and the page around it would fail until it is reloaded.
 * A preloaded part renders at once: after a fallback React waits 300 ms before it shows what replaces it.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<React.ComponentType<Props>>,
): LazyPart<Props> => {
  let loaded: React.ComponentType<Props> | null = null;
  const read = async (): Promise<React.ComponentType<Props>> => {
    loaded ??= await load();
    return loaded;
  };
  const Lazy: React.ComponentType<Props> = lazy(async () => ({ default: await loadAgain(read) }));
  const Part = (props: Props) => {
    // The same as long as it is mounted: another component would lose its state.
    const [Chosen] = useState(() => loaded ?? Lazy);
    return <Chosen {...props} />;
  };
  return Object.assign(Part, {
    preload: async () => {
      await read();
    },
  });
};
