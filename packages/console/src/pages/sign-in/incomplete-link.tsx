import { Alert } from '@mantine/core';
import { TextLink } from '../../components/links.tsx';

/** Of a link that was opened without its secret part; `full` says which one to open. */
export const IncompleteLink = ({ full }: { readonly full: string }) => (
  <Alert role="alert" color="yellow">
    This link is incomplete. Open the full link {full}, or{' '}
    <TextLink to="/login" inherit>
      sign in
    </TextLink>
    .
  </Alert>
);
