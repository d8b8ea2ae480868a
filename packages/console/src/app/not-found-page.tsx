import { IconMapPinOff } from '@tabler/icons-react';
import { useDocumentTitle } from '@mantine/hooks';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';

/** An address nobody has built. */
export const NotFoundPage = () => {
  useDocumentTitle('Page not found · Commonplace');
  return (
    <EmptyState
      isPage
      icon={IconMapPinOff}
      title="Page not found"
      action={<ButtonLink to="/">Go to the start</ButtonLink>}
    >
      There is nothing at this address. It may be mistyped, or what it named is gone.
    </EmptyState>
  );
};

/** The same where nothing stands around it. */
export const UnknownAddress = () => (
  <main>
    <NotFoundPage />
  </main>
);
