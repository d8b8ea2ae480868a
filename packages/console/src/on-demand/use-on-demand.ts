import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import type { OnDemand } from './on-demand.ts';

/** Says that a part of the console could not be loaded: the server is down, or another version runs on it. */
export const explainNotLoaded = (): void => {
  notifications.show({
    color: 'red',
    message: 'This could not be loaded. Check that the server is running, then try again.',
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
        () => {
          explainNotLoaded();
          latest.current();
        },
      );
    }
  }, [component, isWanted, Loaded]);
  return Loaded;
};
