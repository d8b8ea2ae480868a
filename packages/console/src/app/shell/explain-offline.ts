import { notifications } from '@mantine/notifications';

/** Says why a click did not lead to another page. */
export const explainOffline = (): void => {
  notifications.show({
    id: 'offline',
    color: 'red',
    message:
      'You are offline, and that page was not opened before. It can be loaded once you are online.',
  });
};
