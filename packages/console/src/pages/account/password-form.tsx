import { Button, Group, Paper, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { FormError } from '../../components/form-error.tsx';
import { passwordProblem } from '../../components/new-account-fields.tsx';

/** Changes the password, which ends all other sessions. */
export const PasswordForm = ({ email }: { readonly email: string }) => {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { newPassword: passwordProblem },
  });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => api.put('/api/auth/password', { body }),
    onSuccess: () => {
      form.reset();
      notifications.show({
        message:
          'Password changed. Your other sessions have ended; apps that you connected go on. Revoke unknown ones under Credentials.',
      });
      return client.invalidateQueries({ queryKey: keys.ownSessions });
    },
  });
  return (
    <Paper className="panel" withBorder p="lg">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack>
          <Title order={2}>Change password</Title>
          <FormError form={form} error={change.error} />
          {/* Password managers store the new password for this user name. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description="At least 15 characters. Ends your other sessions."
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps('newPassword')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
};
