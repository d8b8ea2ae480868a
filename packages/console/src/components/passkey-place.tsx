import { Anchor, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { hasPasskeys } from '../api/passkeys.ts';
import { signInOptionsQuery } from '../api/sign-in-options-query.ts';

/** Where passkeys work, if browsers make none for the address of this page; or else what stands in its place. */
export const PasskeyPlace = ({ otherwise = null }: { readonly otherwise?: React.ReactNode }) => {
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const { passkeyOrigin } = options;
  // The release before does not say it.
  return hasPasskeys() || !passkeyOrigin || passkeyOrigin === location.origin ? (
    otherwise
  ) : (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {'Passkeys work at '}
      <Anchor href={passkeyOrigin} inherit underline="always">
        {passkeyOrigin}
      </Anchor>
      {', not at this address.'}
    </Text>
  );
};
