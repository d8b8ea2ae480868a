import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { isOfOtherVersion } from './earlier-version.ts';
import type { OnDemand } from './on-demand.ts';

/** Says that a part of the console could not be loaded: the server is down, or another version runs on it. */
export const explainNotLoaded = (error: unknown): void => {
  notifications.show({
    color: 'red',
    message: isOfOtherVersion(error)
      ? 'This could not be loaded: the server runs another version. Reload the page.'
      : 'This could not be loaded. Check that the server is running, then try again.',
  });
};

/** A component that is loaded once it is wanted; null before. `onFailed` takes back what wanted it. */
export const useOnDemand = <Props>(
  component: OnDemand<Props>,
  isWanted: boolean,
  onFailed: () => void,
): React.ComponentType<Props> | null => {
  const [Loaded, setLoaded] = useState(component.loaded);
  const latest = useRef(onFailed);
  useEffect(() => {
    latest.current = onFailed;
  });
  useEffect(() => {
    if (isWanted && !Loaded) {
      component.load().then(
        (loaded) => setLoaded(() => loaded),
        (error: unknown) => {
          explainNotLoaded(error);
          latest.current();
        },
      );
    }
  }, [component, isWanted, Loaded]);
  return Loaded;
};
