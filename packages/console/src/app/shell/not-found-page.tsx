import { IconMapPinOff } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';

/** The page of an unknown address, inside the layout of signed-in operators. */
export const NotFoundPage = () => (
  <EmptyState
    isPage
    icon={IconMapPinOff}
    title="Page not found"
    action={<ButtonLink to="/">Go to home page</ButtonLink>}
  >
    Check the address. The page may have been removed.
  </EmptyState>
);
