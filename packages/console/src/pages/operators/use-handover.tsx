import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { modals } from '../../components/modals.ts';
import { confirm } from '../../components/confirm.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { markShown } from '../../components/shown-errors.ts';
import { ShownOnce } from '../../components/shown-once.tsx';

type Operator = Pick<Schema<'Operator'>, 'id' | 'name' | 'email'>;

/** Returns what confirms the handover of an account, starts it, and then shows the link once. */
export const useHandover = ({ id, name, email }: Operator): (() => void) => {
  const client = useQueryClient();
  const startHandover = useMutation({
    mutationFn: () =>
      api.post('/api/auth/operators/{operatorId}/handover', {
        params: { path: { operatorId: id } },
      }),
    onSuccess: ({ data }) => {
      void client.invalidateQueries({ queryKey: keys.operators });
      modals.open({
        title: `Account of ${name}`,
        children: <HandoverLink email={email} url={data.url} evicted={data.evicted} />,
      });
    },
    onError: (error) => {
      // The dialog may be loaded after it would be said elsewhere.
      markShown(error);
      modals.open({
        title: 'The handover was not started',
        children: <ErrorAlert error={error} />,
      });
    },
  });
  return () =>
    confirm({
      title: `Hand the account to ${email}?`,
      text: 'Its sessions end, and its password, passkeys, linked identities and authenticator app are removed. You get a link for the person to whom this email belongs.',
      confirm: 'Start handover',
      onConfirm: () => startHandover.mutate(),
    });
};

type HandoverLinkProps = {
  readonly email: string;
  readonly url: string;
  readonly evicted: Schema<'Evicted'>;
};

const HandoverLink = ({ email, url, evicted }: HandoverLinkProps) => (
  <ShownOnce what="the link">
    {(onCopied) => (
      <>
        <Text size="sm">
          Removed: {evicted.sessions} sessions, {evicted.passkeys} passkeys, {evicted.identities}{' '}
          linked identities, {evicted.authenticatorApp ? 'an' : 'no'} authenticator app,{' '}
          {evicted.password ? 'the' : 'no'} password.
        </Text>
        <Copyable label="Link" text={url} onCopied={onCopied} />
        <Text size="sm" c="dimmed">
          Give it to {email} in person or by a way you trust, and to nobody else. It is shown only
          now, works once, and for seven days.
        </Text>
      </>
    )}
  </ShownOnce>
);
