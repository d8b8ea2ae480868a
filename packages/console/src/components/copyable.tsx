import {
  ActionIcon,
  Button,
  Code,
  CopyButton,
  Group,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';

/** A long key or command is read without scrolling, also on a phone. */
const wrapped = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

type CopyableProps = { readonly label: string; readonly text: string };

/** Calls back once the text is in the clipboard, which a browser may refuse. */
const WhenCopied = ({ copied, onCopied }: { copied: boolean; onCopied: () => void }) => {
  const report = useEffectEvent(onCopied);
  useEffect(() => {
    if (copied) {
      report();
    }
  }, [copied]);
  return null;
};

/** For screen readers: the name of the button stays. */
const CopiedStatus = ({ label, isCopied }: { label: string; isCopied: boolean }) => (
  <VisuallyHidden role="status">{isCopied ? `${label} copied` : ''}</VisuallyHidden>
);

/** A text that is meant to be copied, with a button that does. */
export const Copyable = ({
  label,
  text,
  onCopied,
}: CopyableProps & { readonly onCopied?: () => void }) => (
  <Stack gap={4}>
    <Group justify="space-between">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <>
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
              {onCopied && <WhenCopied copied={copied} onCopied={onCopied} />}
            </Button>
            <CopiedStatus label={label} isCopied={copied} />
          </>
        )}
      </CopyButton>
    </Group>
    <Code block tabIndex={0} role="group" aria-label={label} style={wrapped}>
      {text}
    </Code>
  </Stack>
);

/** An id or address within a line, with a button that copies it. */
export const CopyableId = ({ label, text }: CopyableProps) => (
  <Text size="sm" c="dimmed" component="div">
    <Group gap={6} wrap="nowrap">
      <span>
        {label} <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
      </span>
      <CopyIconButton label={label} text={text} />
    </Group>
  </Text>
);

/** Copies what stands beside it. */
export const CopyIconButton = ({ label, text }: CopyableProps) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={`Copy ${label}`}
          onClick={copy}
        >
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
        <CopiedStatus label={label} isCopied={copied} />
      </>
    )}
  </CopyButton>
);
