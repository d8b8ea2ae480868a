import { Alert } from '@mantine/core';

type OpenElsewhereProps = { readonly title: string; readonly children: React.ReactNode };

/** Says that another tab of this browser has the same text open. */
export const OpenElsewhere = ({ title, children }: OpenElsewhereProps) => (
  <Alert mb="md" color="yellow" role="status" title={title}>
    {children}
  </Alert>
);
