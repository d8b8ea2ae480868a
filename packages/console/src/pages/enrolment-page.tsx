import { Button, Stack } from '@mantine/core';
import { PublicLayout } from '../app/public-layout.tsx';
import { usePostSignIn } from '../app/use-post-sign-in.ts';
import { AuthenticatorApp } from './account/authenticator-app.tsx';
import { PasskeyList } from './account/passkey-list.tsx';

/** All that is open to an operator who must set up a second factor first. */
export const EnrolmentPage = () => {
  const openConsole = usePostSignIn();
  return (
    <PublicLayout
      title="Set up a second factor"
      text="This instance requires one. With a passkey, sign in with it afterwards."
    >
      <Stack>
        <AuthenticatorApp />
        <PasskeyList />
        <Button variant="default" onClick={() => openConsole()}>
          Continue
        </Button>
      </Stack>
    </PublicLayout>
  );
};
