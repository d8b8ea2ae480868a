import { Checkbox, Stack } from '@mantine/core';
import { SelectField } from '../../components/select-field.tsx';
import { allScopes, scopeLabels, type Scope } from './scopes.ts';

/** What a new key may do; `chosen` counts for the preset of that name only. */
export type ScopeChoice = {
  readonly preset: 'all' | 'read' | 'chosen';
  readonly chosen: readonly Scope[];
};

const presets: readonly { readonly value: ScopeChoice['preset']; readonly label: string }[] = [
  { value: 'all', label: 'everything an agent may' },
  { value: 'read', label: 'read only' },
  { value: 'chosen', label: 'only what is chosen here' },
];

/** The scopes of a choice; undefined: all. */
export const scopesOf = ({ preset, chosen }: ScopeChoice): Scope[] | undefined => {
  if (preset === 'all') {
    return undefined;
  }
  return preset === 'read' ? ['notes:read', 'agents:read'] : [...chosen];
};

type ScopeFieldsProps = {
  readonly value: ScopeChoice;
  readonly onChange: (value: ScopeChoice) => void;
  readonly error?: React.ReactNode;
};

/** Chooses the scopes of a key: a preset, or one by one. */
export const ScopeFields = ({ value, onChange, error }: ScopeFieldsProps) => (
  <Stack gap="xs">
    <SelectField
      label="The key may"
      data={[...presets]}
      value={value.preset}
      allowDeselect={false}
      onChange={(preset) => onChange({ ...value, preset: preset as ScopeChoice['preset'] })}
    />
    {value.preset === 'chosen' && (
      <Checkbox.Group
        label="Scopes"
        error={error}
        value={[...value.chosen]}
        onChange={(chosen) => onChange({ ...value, chosen: chosen as Scope[] })}
      >
        <Stack gap="xs" mt="xs">
          {allScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scopeLabels[scope]} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
    )}
  </Stack>
);
