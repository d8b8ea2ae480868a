import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { confirmAtProvider, onConfirmed } from '../../api/confirm-at-provider.ts';
import { useSamePerson } from './use-same-person.ts';

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
  const [isOpened, setIsOpened] = useState(false);
  const { goOn } = useSamePerson(onSamePerson);
  useEffect(() => onConfirmed(() => goOn()), [goOn]);
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
