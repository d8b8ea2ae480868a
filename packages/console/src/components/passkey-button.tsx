import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { assertPasskey, hasPasskeys, isCancelled } from '../api/passkeys.ts';
import { retryText } from '../api/problems.ts';
import { ErrorAlert } from './error-alert.tsx';

type PasskeyButtonProps = {
  /** Whether it takes the focus as it appears, in a dialog that was open before. */
  readonly takesFocus?: boolean;
  readonly onSignedIn: () => void;
};

/** Signs in with a passkey, where the browser has any for this page. */
export const PasskeyButton = ({ takesFocus = false, onSignedIn }: PasskeyButtonProps) => {
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
        autoFocus={takesFocus}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
        fullWidth
      >
        Sign in with a passkey
      </Button>
    </>
  );
};
