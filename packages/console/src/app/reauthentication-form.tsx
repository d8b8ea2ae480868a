import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { ProblemError } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { assertPasskey, hasPasskeys, isCancelled } from '../api/passkeys.ts';
import { retryText } from '../api/problems.ts';
import { CodeInput, factorOf } from '../components/code-input.tsx';
import { ErrorAlert } from '../components/error-alert.tsx';

const needsCode = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (error.code === 'second_factor_required' || error.code === 'invalid_code');

/** Confirms who the operator is with a password, and a code if needed, or a passkey. */
export const ReauthenticationForm = ({ onConfirmed }: { readonly onConfirmed: () => void }) => {
  const form = useForm({ initialValues: { password: '', code: '' } });
  const confirm = useMutation({
    mutationFn: ({ password, code }: typeof form.values) =>
      api.post('/api/auth/reauthenticate', {
        body: { password, ...(code === '' ? {} : factorOf(code)) },
      }),
    onSuccess: onConfirmed,
  });
  const byPasskey = useMutation({
    mutationFn: async () =>
      api.post('/api/auth/reauthenticate', { body: { passkey: await assertPasskey() } }),
    onSuccess: onConfirmed,
  });
  const isCodeShown = needsCode(confirm.error) || form.values.code !== '';
  const shown = [confirm.error, byPasskey.error].find(
    (error) => error && !isCancelled(error) && !isPrompt(error),
  );
  return (
    <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
      <Stack>
        <Text size="sm">You signed in a while ago, and this change needs a recent sign-in.</Text>
        {shown && <ErrorAlert error={shown}>{retryText(shown)}</ErrorAlert>}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('password')}
        />
        {isCodeShown && <CodeInput {...form.getInputProps('code')} />}
        <Button type="submit" loading={confirm.isPending}>
          Confirm
        </Button>
        {hasPasskeys() && (
          <Button
            variant="default"
            loading={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
          >
            Use a passkey
          </Button>
        )}
      </Stack>
    </form>
  );
};

/** The server only wants the code, too. */
const isPrompt = (error: Error): boolean =>
  error instanceof ProblemError && error.code === 'second_factor_required';
