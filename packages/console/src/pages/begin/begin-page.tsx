import { Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { companyQuery } from '../../api/company-queries.ts';
import { RequirePermission } from '../../app/session/require-permission.tsx';
import { useCompanyId } from '../../api/use-company-id.ts';
import { CopyableId } from '../../components/copyable.tsx';
import { FailedLoad } from '../../components/failed-load.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ListSkeleton } from '../../components/skeletons.tsx';
import { ConnectApp } from './connect-app.tsx';
import { AgentStep } from './agent-step.tsx';
import { FirstNoteStep } from './first-note-step.tsx';
import { KeyStep, type NewKey } from './key-step.tsx';
import { Step } from './step.tsx';

/** The way from a company to the first note of an agent, as a checklist that fills itself in. */
export const BeginPage = () => (
  <RequirePermission permission="write">
    <Begin />
  </RequirePermission>
);

const Begin = () => {
  const companyId = useCompanyId();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  const agents = useQuery(allAgentsQuery(companyId));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  if (agents.isPending) {
    return <ListSkeleton />;
  }
  const usable = (agents.data ?? []).filter(({ status }) => status === 'active');
  const agent = usable.find(({ id }) => id === chosenId) ?? usable[0] ?? null;
  const key = newKey?.agentId === agent?.id ? (newKey?.key ?? null) : null;
  return (
    <>
      <PageHeader title="Begin" description="From a company to the first note of an agent." />
      <FailedLoad query={agents} />
      <Stack maw={820} mb="md">
        <ConnectApp />
      </Stack>
      <Stack
        component="ol"
        role="list"
        gap="md"
        maw={820}
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
      >
        <Step number={1} title={`Company: ${company.name}`} isDone>
          <CopyableId label="Company ID" text={companyId} />
        </Step>
        <AgentStep companyId={companyId} agents={usable} agent={agent} onChoose={setChosenId} />
        <KeyStep agent={agent} created={key} onCreated={setNewKey} />
        <FirstNoteStep agent={agent} createdKey={key} />
      </Stack>
    </>
  );
};
