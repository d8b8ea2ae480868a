import { Button, Group, Image, Paper, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { isUnavailable, retryText } from '../../api/problems.ts';
import { keys } from '../../api/query-keys.ts';
import { factorsQuery } from '../../api/session-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { modalHost } from '../../app/shell/modal-host-on-demand.ts';
import { CodeInput } from '../../components/code-input.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Form } from '../../components/form.tsx';
import { latestError } from '../../components/latest-error.ts';
import { modals } from '../../components/modals.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

const codesLost =
  'The app is set up, but its recovery codes did not arrive. Remove the app and set it up again to get some.';

type NewSecret = { readonly secret: string; readonly qr: string };

/** Sets up, shows and removes the authenticator app of the operator. */
export const AuthenticatorApp = () => {
  const { factors, begin, complete, remove } = useAuthenticatorApp();
  const error = latestError(begin, complete, remove) ?? factors.error;
  const isSetUp = factors.data !== undefined && factors.data.totp !== null;
  const isWithoutCodes = isSetUp && error === complete.error && isUnavailable(error);
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <SectionTitle>Authenticator app</SectionTitle>
        {error && (
          <ErrorAlert error={error}>{isWithoutCodes ? codesLost : retryText(error)}</ErrorAlert>
        )}
        {begin.data && !isSetUp ? (
          <Enrolment
            fresh={begin.data}
            isPending={complete.isPending}
            onCode={(code) => complete.mutate(code)}
            onCancel={() => {
              begin.reset();
              complete.reset();
            }}
          />
        ) : (
          factors.data && (
            <Status
              totp={factors.data.totp}
              isPending={begin.isPending || remove.isPending}
              onBegin={() => begin.mutate()}
              onRemove={() => remove.mutate()}
            />
          )
        )}
      </Stack>
    </Paper>
  );
};

const useAuthenticatorApp = () => {
  const client = useQueryClient();
  const factors = useQuery(factorsQuery);
  // Also a change whose response was lost may be made.
  const onSettled = reloadWhenSettled<unknown>(() =>
    client.invalidateQueries({ queryKey: keys.session }),
  );
  const begin = useMutation({
    mutationFn: async () => (await api.post('/api/auth/totp')).data,
    onSuccess: () =>
      notifications.show({ message: 'The secret is shown. Confirm a code of your app.' }),
    onError: () => void client.invalidateQueries({ queryKey: keys.session }),
  });
  const complete = useMutation({
    mutationFn: async (code: string) => {
      // The codes are shown once: without the dialog nobody would see them.
      await modalHost.load();
      return (await api.post('/api/auth/totp/confirm', { body: { code } })).data.recoveryCodes;
    },
    onSuccess: (codes) => {
      begin.reset();
      notifications.show({ message: 'Authenticator app set up.' });
      modals.open({
        title: 'Store your recovery codes',
        children: <RecoveryCodes codes={codes} />,
      });
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => api.delete('/api/auth/totp'),
    onSuccess: () => {
      begin.reset();
      notifications.show({ message: 'Authenticator app removed. Your other sessions have ended.' });
    },
    onSettled,
  });
  return { factors, begin, complete, remove };
};

type StatusProps = {
  readonly totp: Schema<'Factors'>['totp'];
  readonly isPending: boolean;
  readonly onBegin: () => void;
  readonly onRemove: () => void;
};

const Status = ({ totp, isPending, onBegin, onRemove }: StatusProps) => (
  <>
    <Text size="sm">
      {totp === null
        ? 'Signing in then needs a code of an app on your phone beside the password.'
        : `Signing in needs a code. ${totp.recoveryCodesLeft} recovery codes are left.`}
    </Text>
    <Group>
      {totp === null ? (
        <Button loading={isPending} onClick={onBegin}>
          Set up an app
        </Button>
      ) : (
        <Button
          variant="default"
          loading={isPending}
          onClick={() =>
            confirm({
              title: 'Remove the authenticator app?',
              text: 'Signing in then needs the password only. Your other sessions end.',
              confirm: 'Remove',
              onConfirm: onRemove,
            })
          }
        >
          Remove the app
        </Button>
      )}
    </Group>
  </>
);

type EnrolmentProps = {
  readonly fresh: NewSecret;
  readonly isPending: boolean;
  readonly onCode: (code: string) => void;
  /** The secret has no effect before its code is confirmed. */
  readonly onCancel: () => void;
};

const Enrolment = ({ fresh, isPending, onCode, onCancel }: EnrolmentProps) => {
  const form = useForm({ initialValues: { code: '' } });
  return (
    <Form isSaving={isPending} onSubmit={form.onSubmit(({ code }) => onCode(code))}>
      <Stack>
        <Text size="sm">Scan the QR code with your app, or type the secret.</Text>
        <Image
          src={`data:image/svg+xml,${encodeURIComponent(fresh.qr)}`}
          alt="QR code with the secret"
          w={200}
          h={200}
        />
        <Copyable label="Secret" text={fresh.secret} />
        <CodeInput
          description="Six digits that the app shows"
          inputMode="numeric"
          {...form.getInputProps('code')}
        />
        <Group>
          <Button type="submit" loading={isPending}>
            Confirm the code
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
