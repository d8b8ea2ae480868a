import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { assertPasskey, hasPasskeys, isCancelled } from '../api/passkeys.ts';
import { retryText } from '../api/problems.ts';
import { ErrorAlert } from './error-alert.tsx';

/** Signs in with a passkey, where the browser has any for this page. */
export const PasskeyButton = ({ onSignedIn }: { readonly onSignedIn: () => void }) => {
  const signIn = useMutation({
    mutationFn: async () =>
      api.post('/api/auth/login/passkey', { body: { response: await assertPasskey() } }),
    onSuccess: onSignedIn,
  });
  if (!hasPasskeys()) {
    return null;
  }
  return (
    <>
      {signIn.isError && !isCancelled(signIn.error) && (
        <ErrorAlert error={signIn.error}>{retryText(signIn.error)}</ErrorAlert>
      )}
      <Button
        variant="default"
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
        fullWidth
      >
        Sign in with a passkey
      </Button>
    </>
  );
};
