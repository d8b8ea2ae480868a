import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { challengeIn, retryText } from '../api/problems.ts';
import { EmailInput } from './email-input.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { PasswordField } from './password-field.tsx';

type PasswordSignInProps = {
  /** Filled in, where it is known who signs in. */
  readonly email?: string;
  /** Whether it takes the focus as it appears, in a dialog that was open before. */
  readonly takesFocus?: boolean;
  readonly onSignedIn: () => void;
  /** The password is right, and the account needs a code. */
  readonly onChallenge: (challenge: string) => void;
};

/** Signs in with email and password. */
export const PasswordSignIn = (props: PasswordSignInProps) => {
  const { email = '', takesFocus = false, onSignedIn, onChallenge } = props;
  const isKnown = email !== '';
  const form = useForm({ initialValues: { email, password: '' } });
  const signIn = useMutation({
    mutationFn: (body: typeof form.values) => api.post('/api/auth/login', { body }),
    onSuccess: onSignedIn,
    onError: (error) => {
      const challenge = challengeIn(error);
      if (challenge !== null) {
        onChallenge(challenge);
      }
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack>
        {signIn.isError && challengeIn(signIn.error) === null && (
          <ErrorAlert error={signIn.error}>{retryText(signIn.error)}</ErrorAlert>
        )}
        <EmailInput
          data-autofocus={isKnown ? undefined : true}
          autoFocus={takesFocus && !isKnown}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          data-autofocus={isKnown ? true : undefined}
          autoFocus={takesFocus && isKnown}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
};
