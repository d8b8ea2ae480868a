import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { retryText } from '../api/problems.ts';
import { CodeInput, factorOf } from './code-input.tsx';
import { FormError } from './form-error.tsx';
import { sayCodesLeft } from './say-codes-left.ts';

type LoginCodeProps = {
  readonly challenge: string;
  readonly onSignedIn: () => void;
  readonly onBack: () => void;
};

const fieldOfCode = { invalid_code: 'code' };

/** The second step of signing in. */
export const LoginCode = ({ challenge, onSignedIn, onBack }: LoginCodeProps) => {
  const client = useQueryClient();
  const form = useForm({ initialValues: { code: '' } });
  const complete = useMutation({
    mutationFn: ({ code }: typeof form.values) =>
      api.post('/api/auth/login/second-factor', { body: { challenge, ...factorOf(code) } }),
    onSuccess: (_data, { code }) => {
      onSignedIn();
      void sayCodesLeft(client, code);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => complete.mutate(values))}>
      <Stack>
        {complete.isError && (
          <FormError form={form} error={complete.error} fieldOfCode={fieldOfCode}>
            {retryText(complete.error)}
          </FormError>
        )}
        <CodeInput autoFocus {...form.getInputProps('code')} />
        <Button type="submit" loading={complete.isPending} fullWidth>
          Sign in
        </Button>
        <Button variant="default" onClick={onBack} fullWidth>
          Start again
        </Button>
      </Stack>
    </form>
  );
};
