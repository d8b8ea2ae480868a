import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { serverClock } from '../../api/server-clock.ts';
import { api } from '../../api/api.ts';
import { companiesQuery } from '../../api/company-queries.ts';
import type { ConsentRequest } from '../../api/consent-query.ts';
import { isConsentChanged, isConsentOver } from '../../api/problems.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { listedRoleIn } from '../../app/session/use-can.ts';
import type { FieldLabels } from '../../components/describe-problem.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { markShown } from '../../components/shown-errors.ts';
import { choiceOf, grantsOf, reachProblem, type GrantChoice } from '../agents/grant-choice.ts';
import { AgentField, newAgent } from './agent-field.tsx';
import { choiceFor, ReachField } from './reach-field.tsx';
import { RightsField, type Scope } from './rights-field.tsx';

const dayMs = 86_400_000;
const ends = [
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'never', label: 'never' },
];

const reachLabel = { label: 'The app reaches', field: 'reach' };
/** A new agent is named by the app, not in this form. */
const agentLabel = { label: 'As the agent', field: 'agentId' };

const fieldLabels: FieldLabels = {
  agent: agentLabel,
  agentId: agentLabel,
  name: agentLabel,
  scopes: { label: 'The app may', field: 'scopes' },
  grants: reachLabel,
  folder: reachLabel,
  expiresAt: { label: 'The connection ends', field: 'ends' },
};

type Choice = {
  readonly companyId: string;
  readonly agentId: string;
  readonly scopes: Scope[];
  readonly reach: GrantChoice;
  readonly ends: string;
};

type ConsentFormProps = { readonly uid: string; readonly consent: ConsentRequest };

/** Company, agent, rights and end of a connection, and the decision. */
export const ConsentForm = ({ uid, consent }: ConsentFormProps) => {
  const companies = useCompanies();
  const form = useChoice(companies, consent);
  const isViewer =
    companies.find(({ value }) => value === form.values.companyId)?.isViewer ?? false;
  const decide = useDecide(uid, consent);
  if (decide.isSuccess) {
    return <Decided isRefused={decide.variables === null} />;
  }
  if (companies.length === 0) {
    return (
      <Alert role="alert" color="yellow">
        You belong to no company that is not archived. Create one first, or have yourself invited.
      </Alert>
    );
  }
  return (
    <Form
      isSaving={decide.isPending}
      onSubmit={form.onSubmit((choice) =>
        isViewer && choice.agentId === newAgent
          ? form.setFieldError('agentId', 'Choose an agent: viewers create none.')
          : decide.mutate({ ...choice, isViewer }),
      )}
    >
      <Stack>
        <FormError form={form} error={decide.error} labels={fieldLabels} />
        <ConsentFields form={form} companies={companies} consent={consent} isViewer={isViewer} />
        <Group justify="flex-end">
          <Button variant="default" loading={decide.isPending} onClick={() => decide.mutate(null)}>
            Refuse
          </Button>
          <Button type="submit" loading={decide.isPending}>
            Connect
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

/** Shown until the browser is back at the app, and after it where a program of this computer opens beside the page. */
const Decided = ({ isRefused }: { readonly isRefused: boolean }) => (
  <Text role="status">
    {isRefused ? 'Refused: the app gets no access.' : 'Connected.'} Your browser goes back to the
    app. If nothing happens, go back to it yourself; this page can be closed.
  </Text>
);

const useChoice = (companies: ReturnType<typeof useCompanies>, { scopes }: ConsentRequest) =>
  useForm<Choice>({
    initialValues: {
      companyId: companies[0]?.value ?? '',
      agentId: newAgent,
      scopes: scopes.filter((scope) => scope.startsWith('notes:')),
      reach: choiceOf(null),
      ends: '90',
    },
    validate: {
      scopes: (chosen) => (chosen.length === 0 ? 'Choose at least one.' : null),
      reach: (reach) => reachProblem(reach),
    },
  });

type ConsentFieldsProps = {
  readonly form: UseFormReturnType<Choice>;
  readonly companies: ReturnType<typeof useCompanies>;
  readonly consent: ConsentRequest;
  readonly isViewer: boolean;
};

const ConsentFields = ({ form, companies, consent, isViewer }: ConsentFieldsProps) => (
  <>
    <SelectField
      label="Company"
      data={companies.map(({ value, label }) => ({ value, label }))}
      value={form.values.companyId}
      error={form.errors['companyId']}
      allowDeselect={false}
      searchable
      onChange={(companyId) =>
        companyId !== null &&
        form.setValues({ companyId, agentId: newAgent, reach: choiceOf(null) })
      }
    />
    <AgentField
      companyId={form.values.companyId}
      isViewer={isViewer}
      newName={consent.client.name ?? consent.client.host}
      {...form.getInputProps('agentId')}
    />
    <RightsField
      offered={consent.scopes}
      isViewer={isViewer}
      value={form.values.scopes}
      error={form.errors['scopes']}
      onChange={(scopes) => form.setFieldValue('scopes', scopes)}
    />
    <ReachField
      companyId={form.values.companyId}
      agentId={form.values.agentId}
      isReadOnly={isReadOnly({ ...form.values, isViewer })}
      value={form.values.reach}
      error={form.errors['reach']}
      onChange={(reach) => form.setFieldValue('reach', reach)}
    />
    <SelectField
      label="The connection ends"
      data={ends}
      value={form.values.ends}
      error={form.errors['ends']}
      allowDeselect={false}
      onChange={(value) => value !== null && form.setFieldValue('ends', value)}
    />
  </>
);

/** The companies that a connection can be for, and what the operator is there. */
const useCompanies = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: companies } = useSuspenseQuery(companiesQuery);
  return companies
    .filter(({ status }) => status === 'active')
    .map(({ id, name }) => ({
      value: id,
      label: name,
      isViewer: listedRoleIn(session, id) === 'viewer',
    }));
};

/** Sends the decision and follows the address that leads back to the app; null means refused. */
const useDecide = (uid: string, { version, client }: ConsentRequest) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (choice: (Choice & { readonly isViewer: boolean }) | null) =>
      api.post('/connect/consent/{uid}', {
        params: { path: { uid } },
        body: choice === null ? { decision: 'refuse' } : approvalOf(choice, { version, client }),
      }),
    onSuccess: ({ data }) => location.assign(data.location),
    onError: async (error) => {
      if (isConsentOver(error)) {
        // The page says so in place of the form.
        markShown(error);
      }
      if (isConsentOver(error) || isConsentChanged(error)) {
        await queries.invalidateQueries({ queryKey: keys.consent(uid) });
      }
    },
  });
};

/** Whether the app will only read notes. */
const isReadOnly = ({
  scopes,
  isViewer,
}: Pick<Choice, 'scopes'> & { readonly isViewer: boolean }) =>
  isViewer || !scopes.includes('notes:write');

const approvalOf = (
  {
    companyId,
    agentId,
    scopes,
    reach,
    ends: end,
    isViewer,
  }: Choice & { readonly isViewer: boolean },
  { version, client }: Pick<ConsentRequest, 'version' | 'client'>,
) => ({
  decision: 'approve' as const,
  version,
  companyId,
  agent: agentId === newAgent ? { name: client.name ?? client.host } : { agentId },
  scopes: scopes.filter(
    (scope) => scope !== 'runs:write' && (!isViewer || scope === 'notes:read'),
  ) as Exclude<Scope, 'runs:write'>[],
  grants: grantsOf(choiceFor(reach, { isReadOnly: isReadOnly({ scopes, isViewer }) })),
  expiresAt:
    end === 'never' ? null : new Date(serverClock.nowMs() + Number(end) * dayMs).toISOString(),
});
