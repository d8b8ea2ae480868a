import { Button, Group, Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { modals } from '../../components/modals.ts';
import { grantsOf, reachProblem, readingChoiceOf } from '../agents/grant-choice.ts';
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
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.members(companyId) });
      modals.closeAll();
    },
  });
  return (
    <Stack>
      {save.isError && <ErrorAlert error={save.error} />}
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
      <Group justify="flex-end">
        <Button
          loading={save.isPending}
          onClick={() => {
            const found = reachProblem(choice, grants);
            setProblem(found);
            if (found === null) {
              save.mutate();
            }
          }}
        >
          Save
        </Button>
      </Group>
    </Stack>
  );
};
