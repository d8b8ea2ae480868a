import { Container, Group, Stack, Title } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isUnavailable, unavailableRetryMs } from '../../api/problems.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { usePageTitle } from '../../components/use-page-title.ts';

/** Replaces a page that failed to load or render. */
export const ErrorPage = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  usePageTitle('Something went wrong');
  const retry = () => {
    resetQueries();
    reset();
    void router.invalidate();
  };
  const isRetrying = isUnavailable(error);
  useRepeat(isRetrying, retry);
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1}>This page could not be loaded</Title>
        <ErrorAlert
          error={error}
          hint={isRetrying ? 'The page tries again by itself.' : undefined}
          onRetry={retry}
        />
        <Group>
          <ButtonLink to="/" variant="default">
            Go to home page
          </ButtonLink>
        </Group>
      </Stack>
    </Container>
  );
};

/** Calls it again and again while the server is unavailable. */
const useRepeat = (isRepeating: boolean, retry: () => void): void => {
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(() => {
    if (!isRepeating) {
      return;
    }
    const timer = setInterval(() => latest.current(), unavailableRetryMs);
    return () => clearInterval(timer);
  }, [isRepeating]);
};
