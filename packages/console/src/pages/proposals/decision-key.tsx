import { Kbd } from '@mantine/core';

/** The key that does the same as a button. On a phone there are no keys. */
export const DecisionKey = ({ name }: { readonly name: string }) => (
  <Kbd size="xs" visibleFrom="md" aria-hidden>
    {name}
  </Kbd>
);
