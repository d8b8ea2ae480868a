import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CopyableProps = { readonly label: string; readonly text: string };

const Copyable = ({ label, text }: CopyableProps) => (
  <Stack gap={4}>
    <Group justify="space-between">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="default"
            aria-label={`Copy ${label}`}
            leftSection={
              copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
            }
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
    <Code block tabIndex={0} aria-label={label}>
      {text}
    </Code>
  </Stack>
);

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
