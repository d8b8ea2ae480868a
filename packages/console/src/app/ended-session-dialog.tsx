import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { endedSession } from '../api/ended-session.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { signInOptionsQuery } from '../api/sign-in-options-query.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { LoginCode } from '../pages/login-code.tsx';
import { PasskeyButton } from '../pages/passkey-button.tsx';
import { PasswordSignIn } from '../pages/password-sign-in.tsx';
import { ProviderConfirmation } from './provider-confirmation.tsx';
import { useOpened } from './use-opened.ts';

/** Lets the operator sign in again on the page with their unsaved work, and goes on with what was being done. */
export const EndedSessionDialog = ({ isNeeded }: { readonly isNeeded: boolean }) => (
  <Modal
    opened={useOpened(isNeeded)}
    onClose={() => undefined}
    title="Your session has ended"
    zIndex={1000}
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
    overlayProps={{ blur: 6 }}
  >
    <Stack>
      <Text size="sm">Sign in to go on here. Nothing that you wrote is lost.</Text>
      <SignInWays />
      <Button variant="subtle" onClick={() => endedSession.settle(false)} fullWidth>
        Leave this page
      </Button>
    </Stack>
  </Modal>
);

/** What this instance offers; a code follows if the account needs one. */
const SignInWays = () => {
  const { data: options } = useQuery(signInOptionsQuery);
  const { onSignedIn, email, error } = useSamePerson();
  const [challenge, setChallenge] = useState<string | null>(null);
  if (!options) {
    return null;
  }
  if (challenge !== null) {
    const onBack = () => setChallenge(null);
    return <LoginCode challenge={challenge} onSignedIn={onSignedIn} onBack={onBack} />;
  }
  const { localLogin, oidc } = options;
  return (
    <>
      {error && <ErrorAlert error={error} />}
      {localLogin && (
        <PasswordSignIn email={email} onSignedIn={onSignedIn} onChallenge={setChallenge} />
      )}
      {oidc && (
        <ProviderConfirmation label={oidc.name} isFirst={!localLogin} onConfirmed={onSignedIn} />
      )}
      <PasskeyButton onSignedIn={onSignedIn} />
    </>
  );
};

/** Goes on only as the operator whose work it is: for another one nothing on this page may be saved. */
const useSamePerson = () => {
  const client = useQueryClient();
  // As the dialog opened: what is loaded later may be the session of another person.
  const [before] = useState(() => client.getQueryData(sessionQuery.queryKey)?.operator);
  const goOn = useMutation({
    // Not by the cache: a poll that began without a session may be on its way.
    mutationFn: () => api.get('/api/auth/session'),
    onSuccess: ({ data: { operator } }) => {
      if (operator.id === before?.id) {
        endedSession.settle(true);
      } else {
        location.assign('/');
      }
    },
  });
  return { email: before?.email ?? '', onSignedIn: () => goOn.mutate(), error: goOn.error };
};
