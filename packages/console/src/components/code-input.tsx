import { TextInput, type TextInputProps } from '@mantine/core';

/** What the API gets for a typed code: six digits are of the app, everything else is a recovery code. */
export const factorOf = (text: string): { code: string } | { recoveryCode: string } => {
  const code = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
};

/** A code of the authenticator app, or a recovery code. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    label="Code"
    description="Six digits of your authenticator app, or a recovery code"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    required
    withAsterisk={false}
    data-autofocus
    {...props}
  />
);
