import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { signInAgain } from '../../api/confirm-at-provider.ts';

const attemptKey = 'factor-requested-at';

/** A sign-in that takes longer was given up. */
const attemptMsMax = 600_000;

/** Says that the provider named no second factor, also after a sign-in that was to bring one, and begins another sign-in there. */
export const ProviderFactor = ({ name }: { readonly name: string }) => {
  const isRepeated = useIsRepeated();
  return (
    <>
      <Text size="sm" role="status">
        {isRepeated
          ? `${name} has still named no second factor. Set one up there and sign in again, or add a passkey here.`
          : `${name} named no second factor when you signed in.`}
      </Text>
      <Button
        onClick={() => {
          sessionStorage.setItem(attemptKey, String(Date.now()));
          signInAgain('/');
        }}
      >
        Sign in again with {name}
      </Button>
    </>
  );
};

/** Whether this tab comes from a sign-in that was begun here. */
const useIsRepeated = (): boolean => {
  const [isRepeated] = useState(
    () => Date.now() - Number(sessionStorage.getItem(attemptKey)) < attemptMsMax,
  );
  useEffect(() => sessionStorage.removeItem(attemptKey), []);
  return isRepeated;
};
