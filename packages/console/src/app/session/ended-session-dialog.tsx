import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endedSession } from '../../api/ended-session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { LoginCode } from '../../components/login-code.tsx';
import { PasskeyButton } from '../../components/passkey-button.tsx';
import { PasswordSignIn } from '../../components/password-sign-in.tsx';
import { ProviderConfirmation } from './provider-confirmation.tsx';
import { useOpened } from '../use-opened.ts';
import { useSamePerson } from './use-same-person.ts';

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
      <Text size="sm">
        Sign in to go on here, with all that you wrote. If you leave, the text of notes, conflicts
        and proposals is kept in this browser as drafts; what is in other forms is not.
      </Text>
      <SignInWays />
      <Button variant="subtle" onClick={() => endedSession.settle(false)} fullWidth>
        Leave this page
      </Button>
    </Stack>
  </Modal>
);

const continueHere = (): void => endedSession.settle(true);

/** What this instance offers; a code follows if the account needs one. */
const SignInWays = () => {
  const { data: options } = useQuery(signInOptionsQuery);
  const { email, goOn, error } = useSamePerson(continueHere);
  const onSignedIn = () => goOn();
  const [challenge, setChallenge] = useState<string | null>(null);
  if (!options) {
    // It takes the focus until there is a way to sign in: a key typed now must not press the button below.
    return (
      <Text size="sm" c="dimmed" tabIndex={-1} data-autofocus>
        Loading the ways to sign in…
      </Text>
    );
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
        <PasswordSignIn
          email={email}
          takesFocus
          onSignedIn={onSignedIn}
          onChallenge={setChallenge}
        />
      )}
      {oidc && (
        <ProviderConfirmation label={oidc.name} isFirst={!localLogin} onConfirmed={continueHere} />
      )}
      <PasskeyButton takesFocus={!localLogin && !oidc} onSignedIn={onSignedIn} />
    </>
  );
};
