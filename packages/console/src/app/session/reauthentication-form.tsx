import { Button, Stack, Text } from '@mantine/core';
import { ProblemError } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { assertPasskey, hasPasskeys, isCancelled } from '../../api/passkeys.ts';
import { retryText } from '../../api/problems.ts';
import { factorsQuery } from '../../api/session-queries.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { CodeInput, factorOf } from '../../components/code-input.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormError } from '../../components/form-error.tsx';
import { sayCodesLeft } from '../../components/say-codes-left.ts';
import { ProviderConfirmation } from './provider-confirmation.tsx';
import { PasswordField } from '../../components/password-field.tsx';

const needsCode = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (error.code === 'second_factor_required' || error.code === 'invalid_code');

const fieldOfCode = { invalid_credentials: 'password', invalid_code: 'code' };

type ReauthenticationFormProps = { readonly onConfirmed: () => void };

/** Confirms who the operator is, with what the account has: a password and a code, a passkey, or the provider. */
export const ReauthenticationForm = ({ onConfirmed }: ReauthenticationFormProps) => {
  const { data: factors } = useQuery(factorsQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  if (!factors || !options) {
    return null;
  }
  return (
    <Stack>
      <Text size="sm">You signed in a while ago, and this change needs a recent sign-in.</Text>
      {factors.hasPassword && <PasswordConfirmation onConfirmed={onConfirmed} />}
      {options.oidc && (
        <ProviderConfirmation
          label={`Confirm with ${options.oidc.name}`}
          isFirst={!factors.hasPassword}
          onConfirmed={onConfirmed}
        />
      )}
      {hasPasskeys() && factors.passkeys > 0 && <PasskeyConfirmation onConfirmed={onConfirmed} />}
    </Stack>
  );
};

const PasswordConfirmation = ({ onConfirmed }: ReauthenticationFormProps) => {
  const client = useQueryClient();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const confirm = useMutation({
    mutationFn: ({ password, code }: typeof form.values) =>
      api.post('/api/auth/reauthenticate', {
        body: { password, ...(code === '' ? {} : factorOf(code)) },
      }),
    onSuccess: async (_data, { code }) => {
      onConfirmed();
      if (code !== '') {
        await sayCodesLeft(client, code);
      }
    },
  });
  const { error } = confirm;
  return (
    <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
      <Stack>
        {error && !isPrompt(error) && (
          <FormError form={form} error={error} fieldOfCode={fieldOfCode}>
            {retryText(error)}
          </FormError>
        )}
        <PasswordField
          label="Password"
          autoComplete="current-password"
          data-autofocus
          autoFocus
          {...form.getInputProps('password')}
        />
        {(needsCode(error) || form.values.code !== '') && (
          <CodeInput {...form.getInputProps('code')} />
        )}
        <Button type="submit" loading={confirm.isPending}>
          Confirm
        </Button>
      </Stack>
    </form>
  );
};

const PasskeyConfirmation = ({ onConfirmed }: ReauthenticationFormProps) => {
  const confirm = useMutation({
    mutationFn: async () =>
      api.post('/api/auth/reauthenticate', { body: { passkey: await assertPasskey() } }),
    onSuccess: onConfirmed,
  });
  const { error } = confirm;
  return (
    <>
      {error && !isCancelled(error) && <ErrorAlert error={error}>{retryText(error)}</ErrorAlert>}
      <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Use a passkey
      </Button>
    </>
  );
};

/** The server only wants the code, too. */
const isPrompt = (error: Error): boolean =>
  error instanceof ProblemError && error.code === 'second_factor_required';
