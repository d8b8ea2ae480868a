import { useDocumentTitle } from '@mantine/hooks';
import { IconLock } from '@tabler/icons-react';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';
import { useCan } from './use-can.ts';

const refusals = {
  write: {
    title: 'You may not change this company',
    text: 'Your role lets you read it; an owner can give you another. Nobody changes an archived company.',
  },
  administrate: {
    title: 'For administrators only',
    text: 'Administrators create companies and decide who may sign in.',
  },
} as const;

type OnlyProps = {
  readonly may: keyof typeof refusals;
  readonly children: React.ReactNode;
};

/** A page for those who may use it. Nobody is led here without, but addresses are sent around. */
export const Only = ({ may, children }: OnlyProps) => {
  const can = useCan();
  return can[may] ? children : <Refused {...refusals[may]} />;
};

const Refused = ({ title, text }: { readonly title: string; readonly text: string }) => {
  useDocumentTitle(`${title} · Commonplace`);
  return (
    <EmptyState
      isPage
      icon={IconLock}
      title={title}
      action={
        <ButtonLink to="/" variant="default">
          Go to the start
        </ButtonLink>
      }
    >
      {text}
    </EmptyState>
  );
};
