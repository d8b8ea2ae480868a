import { SimpleGrid } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { factorsQuery, sessionQuery } from '../../api/session-queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Identities } from './identities.tsx';
import { ImageSetting } from './image-setting.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { PasswordForm } from './password-form.tsx';

/** The operator's account: password, identities, factors and sessions. Local trusted mode has neither. */
export const AccountPage = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const hasPassword = useQuery(factorsQuery).data?.hasPassword ?? false;
  const { error } = useSearch({ from: '/signed-in/account' });
  const { name, email } = session.operator;
  return (
    <>
      <PageHeader
        title="Account"
        description={
          session.mode === 'authenticated'
            ? `${name}, ${email}`
            : 'Local trusted mode: you are the board operator, without a password or sessions.'
        }
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {session.mode === 'authenticated' && (
          <>
            {hasPassword && <PasswordForm email={email} />}
            <Identities problem={error} />
            <AuthenticatorApp />
            <PasskeyList />
            <OwnSessions email={email} />
          </>
        )}
        <ImageSetting />
      </SimpleGrid>
    </>
  );
};
