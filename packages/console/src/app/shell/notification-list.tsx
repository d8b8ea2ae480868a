import { Notifications } from '@mantine/notifications';

/** The notifications in their corner. */
export const NotificationList = () => <Notifications position="bottom-right" />;
