import { Alert, Stack } from '@mantine/core';
import { Copyable } from '../../components/copyable.tsx';

/** A new key, which is displayed only once, with examples of its use. */
export const OneTimeKey = ({ value }: { readonly value: string }) => (
  <Stack>
    <Alert color="yellow" role="status">
      Copy the key now. It will not be shown again.
    </Alert>
    <Copyable label="API key" text={value} />
    <Copyable
      label="Try it"
      text={`curl ${window.location.origin}/api/agents/me \\\n  -H 'authorization: Bearer ${value}'`}
    />
    <Copyable
      label="For .env"
      text={`COMMONPLACE_URL=${window.location.origin}\nCOMMONPLACE_API_KEY=${value}`}
    />
  </Stack>
);
