import { Alert, Code, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { signInProblems } from './sign-in-problems.ts';

/** Explains why single sign-on was refused. The code is in the address of the page. */
export const SignInProblem = ({ code }: { readonly code: string }) => (
  <Alert
    role="alert"
    color="red"
    variant="light"
    icon={<IconAlertTriangle size={18} aria-hidden />}
  >
    <Text size="sm">{signInProblems[code] ?? 'Single sign-on did not work. Try again.'}</Text>
    {Object.hasOwn(signInProblems, code) && (
      <Text size="xs" mt="xs">
        Code <Code>{code}</Code>
      </Text>
    )}
  </Alert>
);
