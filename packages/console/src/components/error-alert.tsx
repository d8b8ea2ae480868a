import { Alert, Button, Code, List, Text } from '@mantine/core';
import { ProblemError } from '@commonplace/client';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { retryText } from '../api/problems.ts';
import { describeProblem, type FieldLabels } from './describe-problem.ts';
import { markShown } from './shown-errors.ts';

type ErrorAlertProps = {
  readonly error: unknown;
  /** Replaces the detail of the problem. */
  readonly children?: React.ReactNode;
  /** What happens next, or what to do. */
  readonly hint?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** Those of a form that calls its fields otherwise than most. */
  readonly labels?: FieldLabels | undefined;
};

/** Displays an error, with the request id for a look into the logs. */
export const ErrorAlert = ({ error, children, hint, onRetry, labels }: ErrorAlertProps) => {
  useEffect(() => markShown(error), [error]);
  const next = hint ?? (children === undefined ? retryText(error) : null);
  return (
    <Alert
      role="presentation"
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      {/* Without the request: screen readers would say each letter of its id. */}
      <div role="alert">
        <Text size="sm">{children ?? headingOf(error)}</Text>
        {next !== null && (
          <Text size="sm" mt={4}>
            {next}
          </Text>
        )}
        {error instanceof ProblemError && error.errors.length > 0 && (
          <List size="sm" mt="xs">
            {error.errors.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                {describeProblem({ path, message }, labels)}
              </List.Item>
            ))}
          </List>
        )}
      </div>
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
};

/** What stands above the list of invalid fields, or the text of another error. */
const headingOf = (error: unknown): string =>
  error instanceof ProblemError && error.code === 'validation_failed' && error.errors.length > 0
    ? 'Some of what was sent is not valid:'
    : detailOf(error);

/** The text of an error, to be displayed. A request without a response has no problem document. */
export const detailOf = (error: unknown): string => {
  markShown(error);
  return error instanceof ProblemError
    ? error.detail
    : error instanceof TypeError || (error instanceof DOMException && error.name !== 'AbortError')
      ? 'Commonplace is unreachable. Check your connection, and that the server is running.'
      : 'Something went wrong on this page.';
};
