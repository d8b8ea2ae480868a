import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { reportConfirmed } from '../../api/confirm-at-provider.ts';
import { PublicLayout } from '../../app/shell/public-layout.tsx';

/** The end of a sign-in in a window of its own: the page that waits goes on. */
export const ConfirmedPage = () => {
  useEffect(() => reportConfirmed(() => window.close()), []);
  return (
    <PublicLayout title="Confirmed">
      <Text size="sm">You can close this window and go on where you were.</Text>
    </PublicLayout>
  );
};
