import { IconLock } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { useWasAllowed } from './use-was-allowed.ts';

const denials = {
  write: {
    title: 'You cannot change this company',
    text: 'Your role is read-only, or the company is archived. An owner can change both.',
  },
  administrate: {
    title: 'Administrators only',
    text: 'Only administrators can create companies, manage operators and see the state of the instance.',
  },
} as const;

type RequirePermissionProps = {
  readonly permission: keyof typeof denials;
  readonly children: React.ReactNode;
  /** What was written here before the permission was lost. */
  readonly kept?: React.ReactNode;
};

/**
 * Renders a page only to those who have the permission, or had it when the page was opened. No link leads here without it, but
 * addresses are shared.
 */
export const RequirePermission = ({ permission, children, kept }: RequirePermissionProps) => {
  return useWasAllowed(permission) ? (
    children
  ) : (
    <>
      {kept}
      <Denied {...denials[permission]} />
    </>
  );
};

const Denied = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <EmptyState
    isPage
    icon={IconLock}
    title={title}
    action={
      <ButtonLink to="/" variant="default">
        Go to home page
      </ButtonLink>
    }
  >
    {text}
  </EmptyState>
);
