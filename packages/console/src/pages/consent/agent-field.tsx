import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { FailedLoad } from '../../components/failed-load.tsx';
import { SelectField } from '../../components/select-field.tsx';

/** The value of the choice to create an agent. */
export const newAgent = 'new';

type AgentFieldProps = {
  readonly companyId: string;
  /** Viewers create no agents. */
  readonly isViewer: boolean;
  readonly newName: string;
  readonly value?: string;
  readonly error?: React.ReactNode;
  readonly onChange?: (value: string) => void;
};

/** The agent that the app acts as: a new one, or one of the company. */
export const AgentField = ({
  companyId,
  isViewer,
  newName,
  value = newAgent,
  error,
  onChange,
}: AgentFieldProps) => {
  const query = useQuery({ ...allAgentsQuery(companyId), enabled: companyId !== '' });
  const { data: agents = [] } = query;
  const existing = agents
    .filter(({ status }) => status !== 'terminated')
    .map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }));
  const shown = isViewer && value === newAgent ? null : value;
  return (
    <>
      <SelectField
        label="As the agent"
        description={
          isViewer
            ? 'As a viewer you connect an app to an agent that exists, for reading notes.'
            : 'What the app writes is shown as written by this agent.'
        }
        placeholder="Choose an agent"
        data={
          isViewer ? existing : [{ value: newAgent, label: `a new agent: ${newName}` }, ...existing]
        }
        value={shown}
        error={error}
        allowDeselect={false}
        searchable
        onChange={(id) => id !== null && onChange?.(id)}
      />
      <FailedLoad query={query}>The agents of the company could not be listed.</FailedLoad>
    </>
  );
};
