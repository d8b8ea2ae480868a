import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { confirmAtProvider, onConfirmed } from '../api/confirm-at-provider.ts';
import { sessionQuery } from '../api/session-queries.ts';

type ProviderConfirmationProps = {
  readonly label: string;
  /** Whether there is no password to try first. */
  readonly isFirst: boolean;
  readonly onConfirmed: () => void;
};

/** Confirms who the operator is with a new sign-in at the provider. */
export const ProviderConfirmation = ({
  label,
  isFirst,
  onConfirmed: onSamePerson,
}: ProviderConfirmationProps) => {
  const client = useQueryClient();
  const [isOpened, setIsOpened] = useState(false);
  // As the dialog opened: the page polls the session, so later it may be that of another person.
  const [before] = useState(() => client.getQueryData(sessionQuery.queryKey)?.operator.id);
  useEffect(
    () =>
      onConfirmed(() => {
        void client.fetchQuery({ ...sessionQuery, staleTime: 0 }).then(({ operator }) => {
          if (operator.id === before) {
            onSamePerson();
          } else {
            // Another person has signed in: nothing on this page is theirs.
            location.assign('/');
          }
        });
      }),
    [client, before, onSamePerson],
  );
  return (
    <>
      <Button
        variant={isFirst ? 'filled' : 'default'}
        autoFocus={isFirst}
        onClick={() => {
          setIsOpened(true);
          confirmAtProvider();
        }}
      >
        {label}
      </Button>
      {isOpened && (
        <Text size="sm" role="status">
          Sign in in the window that has opened. Here it goes on by itself.
        </Text>
      )}
    </>
  );
};
