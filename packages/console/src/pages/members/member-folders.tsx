import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { invalidateMembers } from '../../api/company-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { LockedFields } from '../../components/form.tsx';
import { useHeldModal } from '../../components/use-held-modal.ts';
import { describeGrants, grantsOf, reachProblem, readingChoiceOf } from '../agents/grant-choice.ts';
import { GrantFields } from '../agents/grant-fields.tsx';

type MemberFoldersProps = {
  readonly companyId: string;
  readonly member: Schema<'Member'>;
};

/** Chooses the folders whose notes a viewer reaches. */
export const MemberFolders = ({ companyId, member }: MemberFoldersProps) => {
  const { operatorId, name, grants } = member;
  const client = useQueryClient();
  const [choice, setChoice] = useState(() => readingChoiceOf(grants));
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: () =>
      api.patch('/api/companies/{companyId}/members/{operatorId}', {
        params: { path: { companyId, operatorId } },
        body: { grants: grantsOf(choice) },
      }),
    onSuccess: () =>
      notifications.show({ message: `${name} reaches ${describeGrants(grantsOf(choice))} now.` }),
    onSettled: reloadWhenSettled(() => invalidateMembers(client, companyId)),
  });
  const close = useHeldModal(save.isPending);
  return (
    <Stack>
      {save.isError && <ErrorAlert error={save.error} />}
      <LockedFields isLocked={save.isPending}>
        <GrantFields
          companyId={companyId}
          label={`${name} reaches`}
          value={choice}
          error={problem}
          onChange={(chosen) => {
            setChoice(chosen);
            setProblem(null);
          }}
          isReadOnly
        />
      </LockedFields>
      <Group justify="flex-end">
        <Button
          loading={save.isPending}
          onClick={() => {
            const found = reachProblem(choice, grants);
            setProblem(found);
            if (found === null) {
              save.mutate(undefined, { onSuccess: close });
            }
          }}
        >
          Save
        </Button>
      </Group>
    </Stack>
  );
};
