import { Alert } from '@mantine/core';

type OpenElsewhereProps = { readonly title: string; readonly children: React.ReactNode };

/** Says that another tab of this browser has the same text open. */
export const OpenElsewhere = ({ title, children }: OpenElsewhereProps) => (
  <Alert mb="md" color="yellow" role="status" title={title}>
    {children}
  </Alert>
);

/** The same of a note, in its editor. */
export const NoteElsewhere = () => (
  <OpenElsewhere title="This note is being edited in another tab">
    Each tab keeps a draft of its own. What you save in one is merged into the other.
  </OpenElsewhere>
);
