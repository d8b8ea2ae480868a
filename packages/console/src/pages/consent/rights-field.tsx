import { Checkbox, Stack } from '@mantine/core';
import type { ConsentRequest } from '../../api/consent-query.ts';

export type Scope = ConsentRequest['scopes'][number];

const labels: Readonly<Partial<Record<Scope, string>>> = {
  'notes:read': 'Read notes',
  'notes:write': 'Write notes',
  'agents:read': 'Read agents and runs',
};

type RightsFieldProps = {
  readonly offered: readonly Scope[];
  readonly isViewer: boolean;
  readonly value: readonly Scope[];
  readonly error: React.ReactNode;
  readonly onChange: (scopes: Scope[]) => void;
};

/** What the app may do: of what it requests, a viewer lets it read notes. */
export const RightsField = ({ offered, isViewer, value, error, onChange }: RightsFieldProps) => (
  <Checkbox.Group
    label="The app may"
    error={error}
    value={value.filter((scope) => !isViewer || scope === 'notes:read')}
    onChange={(scopes) => onChange(scopes as Scope[])}
  >
    <Stack gap="xs" mt="xs">
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          size="md"
          value={scope}
          label={labels[scope] ?? scope}
          disabled={isViewer && scope !== 'notes:read'}
        />
      ))}
    </Stack>
  </Checkbox.Group>
);
