import { IconMapPinOff } from '@tabler/icons-react';
import { useDocumentTitle } from '@mantine/hooks';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';

/** The page of an unknown address, inside a layout. */
export const NotFoundPage = () => {
  useDocumentTitle('Page not found · Commonplace');
  return (
    <EmptyState
      isPage
      icon={IconMapPinOff}
      title="Page not found"
      action={<ButtonLink to="/">Go to home page</ButtonLink>}
    >
      Check the address. The page may have been removed.
    </EmptyState>
  );
};

/** The page of an unknown address, without a layout. */
export const UnknownAddress = () => (
  <main>
    <NotFoundPage />
  </main>
);
