import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { serverClock } from '../../api/server-clock.ts';
import { apiOf } from '../../api/api.ts';
import { invalidateKeys } from '../../api/credential-queries.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { useHeldModal } from '../../components/use-held-modal.ts';
import { choiceOf, grantsOf, reachProblem, type GrantChoice } from './grant-choice.ts';
import { GrantFields } from './grant-fields.tsx';
import { OneTimeKey } from './one-time-key.tsx';
import { ScopeFields, scopesOf, type ScopeChoice } from './scope-fields.tsx';

const dayMs = 24 * 60 * 60 * 1000;

const daysMax = 3650;

/** The validation error of a number of days. A number field would treat a lone `-` as empty. */
const daysProblem = (days: string): string | null =>
  days.trim() === '' || (/^\d+$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= daysMax)
    ? null
    : `Enter a number of days up to ${daysMax}, or leave empty.`;

type KeyInput = {
  readonly name: string;
  readonly days: string;
  readonly scopes: ScopeChoice;
  readonly grants: GrantChoice;
};

type CreateKeyProps = {
  readonly agent: Schema<'Agent'>;
  /** The key is on its way: the form must stay until it has been shown. */
  readonly onRequested?: () => void;
  readonly onFailed?: () => void;
};

const useCreateKey = ({ agent, onRequested, onFailed }: CreateKeyProps) => {
  const { id: agentId, companyId } = agent;
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: ({ name, days, scopes: choice, grants: reach }: KeyInput) => {
      const scopes = scopesOf(choice);
      const grants = grantsOf(reach);
      return apiOf(companyId).post('/api/agents/{agentId}/keys', {
        params: { path: { agentId } },
        body: {
          name,
          ...(days.trim() === ''
            ? {}
            : { expiresAt: new Date(serverClock.nowMs() + Number(days) * dayMs).toISOString() }),
          ...(scopes ? { scopes } : {}),
          ...(grants ? { grants } : {}),
        },
      });
    },
    onMutate: () => onRequested?.(),
    onError: () => onFailed?.(),
    onSuccess: () => invalidateKeys(client, companyId, agentId),
  });
  useHeldModal(create.isPending);
  return create;
};

const initialValues: KeyInput = {
  name: '',
  days: '',
  scopes: { preset: 'all', chosen: [] },
  grants: choiceOf(null),
};

/** What is wrong with each field; null: nothing. */
const problems = {
  days: daysProblem,
  scopes: (choice: ScopeChoice) => (scopesOf(choice)?.length === 0 ? 'Choose at least one.' : null),
  grants: (choice: GrantChoice) => reachProblem(choice),
};

/** Creates a key of an agent and displays it once. */
export const CreateKey = (props: CreateKeyProps) => {
  const form = useForm<KeyInput>({
    initialValues,
    validate: problems,
  });
  const create = useCreateKey(props);
  if (create.data) {
    return <OneTimeKey value={create.data.data.key} />;
  }
  return (
    <Form isSaving={create.isPending} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <FormError form={form} error={create.error} />
        <TextInput
          label="Name"
          description="Where the key is used, for example a host name."
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Days until it expires"
          description="Leave empty for a key that never expires."
          inputMode="numeric"
          {...form.getInputProps('days')}
        />
        <ScopeFields
          value={form.values.scopes}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
          error={form.errors['scopes']}
        />
        <GrantFields
          companyId={props.agent.companyId}
          label="Of the notes of its agent, it reaches"
          {...form.getInputProps('grants')}
          value={form.values.grants}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
