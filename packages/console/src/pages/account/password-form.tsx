import { Button, Group, Paper, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { passwordProblem } from '../../components/new-account-fields.tsx';
import { SectionTitle } from '../../components/section-title.tsx';
import { PasswordField } from '../../components/password-field.tsx';

const usePasswordForm = () => {
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
  return { form, change };
};

const fieldOfCode = { invalid_credentials: 'currentPassword' };

/** Changes the password, which ends all other sessions. */
export const PasswordForm = ({ email }: { readonly email: string }) => {
  const { form, change } = usePasswordForm();
  return (
    <Paper className="panel" withBorder p="lg">
      <Form isSaving={change.isPending} onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack>
          <SectionTitle>Change password</SectionTitle>
          <FormError form={form} error={change.error} fieldOfCode={fieldOfCode} />
          {/* Password managers store the new password for this user name. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show current password' }}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordField
            label="New password"
            description="At least 15 characters. Ends your other sessions."
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show new password' }}
            {...form.getInputProps('newPassword')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </Form>
    </Paper>
  );
};
