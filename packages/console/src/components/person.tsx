import { Text } from '@mantine/core';
import { Name } from './name.tsx';
import { UnverifiedEmail } from './unverified-email.tsx';

type PersonProps = {
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean | null;
};

/** An operator in a row of a table: the name, and the email below it. */
export const Person = ({ name, email, emailVerified }: PersonProps) => (
  <>
    <Text fw={600} size="sm">
      <Name>{name}</Name>
    </Text>
    <Text size="sm" c="dimmed">
      {email} <UnverifiedEmail isVerified={emailVerified} />
    </Text>
  </>
);
