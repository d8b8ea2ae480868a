import { ModalsProvider } from '@mantine/modals';
import { lazy, Suspense } from 'react';
import { ReauthenticationDialog } from './reauthentication-dialog.tsx';

const Notifications = lazy(async () => ({
  default: (await import('@mantine/notifications')).Notifications,
}));

/** The dialogs and notifications that any page can open. Within the router, so that they can contain links. */
export const Dialogs = () => (
  <>
    <ModalsProvider>{null}</ModalsProvider>
    <ReauthenticationDialog />
    <Suspense fallback={null}>
      {/* Loaded late: those shown before wait in their store. */}
      <Notifications position="bottom-right" />
    </Suspense>
  </>
);
