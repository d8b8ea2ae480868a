import { Alert, Button, Code, List, Text } from '@mantine/core';
import { ProblemError } from '@commonplace/client';
import { IconAlertTriangle } from '@tabler/icons-react';

type ErrorAlertProps = {
  readonly error: unknown;
  /** What to do instead of what the problem says, where we know better. */
  readonly children?: React.ReactNode;
  readonly onRetry?: (() => void) | undefined;
};

/** Says what went wrong, and how to name it to whoever can look it up. */
export const ErrorAlert = ({ error, children, onRetry }: ErrorAlertProps) => (
  <Alert
    role="alert"
    color="red"
    variant="light"
    icon={<IconAlertTriangle size={18} aria-hidden />}
  >
    <Text size="sm">{children ?? detailOf(error)}</Text>
    {error instanceof ProblemError && error.errors.length > 0 && (
      <List size="sm" mt="xs">
        {error.errors.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>{`${path}: ${message}`}</List.Item>
        ))}
      </List>
    )}
    {error instanceof ProblemError && error.requestId !== null && (
      <Text size="xs" mt="xs">
        Request <Code>{error.requestId}</Code>
      </Text>
    )}
    {onRetry && (
      <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
        Try again
      </Button>
    )}
  </Alert>
);

/** What people read of a failure; a request without an answer has no problem to quote. */
const detailOf = (error: unknown): string =>
  error instanceof ProblemError
    ? error.detail
    : error instanceof TypeError || (error instanceof DOMException && error.name !== 'AbortError')
      ? 'Commonplace cannot be reached. Is it running, and are you online?'
      : 'Something went wrong in this page.';
