import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { unlessGone } from '../../api/unless-gone.ts';
import { identitiesQuery } from '../../api/session-queries.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { latestError } from '../../components/latest-error.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SignInProblem } from '../../components/sign-in-problem.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

type Identity = Schema<'Identity'>;

/**
 * The identities that sign the operator in. Nothing where no provider is configured and none is
 * linked. `problem` is the code of a link that was refused.
 */
export const Identities = ({ problem }: { readonly problem?: string | undefined }) => {
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const { data: identities = [], error } = useQuery(identitiesQuery);
  const { link, unlink } = useIdentityChanges();
  if (!options.oidc && identities.length === 0) {
    return null;
  }
  const failed = latestError(link, unlink) ?? error;
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <SectionTitle>Single sign-on</SectionTitle>
        {problem !== undefined && <SignInProblem code={problem} />}
        {failed && <ErrorAlert error={failed} />}
        {identities.length === 0 && (
          <Text size="sm" c="dimmed">
            No identity is linked to your account.
          </Text>
        )}
        {identities.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} onUnlink={unlink.mutate} />
        ))}
        {options.oidc && (
          <Group>
            <Button
              variant="default"
              loading={link.isPending || link.isSuccess}
              onClick={() => link.mutate()}
            >
              Link an identity
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
};

type IdentityRowProps = {
  readonly identity: Identity;
  readonly onUnlink: (identityId: string) => void;
};

const IdentityRow = ({ identity, onUnlink }: IdentityRowProps) => {
  const { id, email, subject, issuer, lastUsedAt } = identity;
  const name = email ?? subject;
  return (
    <Group justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text fw={600} size="sm" truncate>
          {name}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {issuer}
          {', '}
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              last used <RelativeTime at={lastUsedAt} />
            </>
          )}
        </Text>
      </div>
      <Button
        size="xs"
        variant="default"
        flex="none"
        aria-label={`Unlink ${name}`}
        onClick={() =>
          confirm({
            title: 'Unlink this identity?',
            text: 'It no longer signs you in. The other sessions that it began end.',
            confirm: 'Unlink',
            onConfirm: () => onUnlink(id),
          })
        }
      >
        Unlink
      </Button>
    </Group>
  );
};

const useIdentityChanges = () => {
  const client = useQueryClient();
  const link = useMutation({
    mutationFn: () => api.post('/api/auth/identities'),
    onSuccess: ({ data }) => location.assign(data.url),
  });
  const unlink = useMutation({
    mutationFn: (identityId: string) =>
      unlessGone(
        api.delete('/api/auth/identities/{identityId}', { params: { path: { identityId } } }),
      ),
    onSuccess: () => notifications.show({ message: 'The identity was unlinked.' }),
    onSettled: reloadWhenSettled<unknown>(() =>
      client.invalidateQueries({ queryKey: keys.identities }),
    ),
  });
  return { link, unlink };
};
