import { Alert, Button, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { serverClock } from '../../api/server-clock.ts';
import { agentKeysQuery } from '../../api/agent-queries.ts';
import { apiOf } from '../../api/api.ts';
import { itemsOf } from '../../api/pages.ts';
import { keys } from '../../api/query-keys.ts';
import { Copyable } from '../../components/copyable.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Step } from './step.tsx';

type Agent = Schema<'Agent'>;

/** A key that was created on this page, which is not stored anywhere in the browser. */
export type NewKey = { readonly agentId: string; readonly key: string };

type KeyStepProps = {
  readonly agent: Agent | null;
  readonly created: string | null;
  readonly onCreated: (key: NewKey) => void;
};

/** The key of the agent. It is shown once; the next step has it until the page is left. */
export const KeyStep = ({ agent, created, onCreated }: KeyStepProps) => {
  const query = useInfiniteQuery({
    ...agentKeysQuery(agent?.companyId ?? '', agent?.id ?? ''),
    enabled: agent !== null,
  });
  const usable = itemsOf(query.data).filter(isUsable);
  const hasKey = created !== null || (agent !== null && usable.length > 0);
  return (
    <Step number={3} title={hasKey ? 'API key' : 'Create an API key'} isDone={hasKey}>
      {created !== null ? (
        <Stack gap="sm">
          <Alert color="yellow" role="status">
            Copy the key now. It will not be shown again.
          </Alert>
          <Copyable label="API key" text={created} />
        </Stack>
      ) : agent === null ? (
        <Text size="sm" c="dimmed">
          A key belongs to an agent.
        </Text>
      ) : (
        <CreateKey agent={agent} count={usable.length} onCreated={onCreated} />
      )}
    </Step>
  );
};

const isUsable = ({ revokedAt, expiresAt }: Schema<'ApiKey'>): boolean =>
  [revokedAt, expiresAt].every((at) => at === null || Date.parse(at) > serverClock.nowMs());

type CreateKeyProps = {
  readonly agent: Agent;
  readonly count: number;
  readonly onCreated: KeyStepProps['onCreated'];
};

const CreateKey = ({ agent, count, onCreated }: CreateKeyProps) => {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: ({ companyId, id: agentId }: Agent) =>
      apiOf(companyId).post('/api/agents/{agentId}/keys', {
        params: { path: { agentId } },
        body: { name: 'first steps' },
      }),
    onSuccess: ({ data }, { id: agentId, companyId }) => {
      onCreated({ agentId, key: data.key });
      return client.invalidateQueries({ queryKey: keys.agent(companyId, agentId) });
    },
  });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {count === 0
          ? 'The agent signs its requests with it. Keys with fewer rights, or with an end, are on the page of the agent.'
          : 'The agent has a key, but keys are shown only once. Use yours, or create another.'}
      </Text>
      {create.isError && <ErrorAlert error={create.error} />}
      <Button
        variant={count === 0 ? 'filled' : 'default'}
        loading={create.isPending}
        onClick={() => create.mutate(agent)}
      >
        Create key
      </Button>
    </Stack>
  );
};
