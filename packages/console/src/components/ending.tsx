import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

type EndingProps = {
  readonly isOpen: boolean;
  /** What it came to. */
  readonly text: string;
};

/** Says to screen readers how something ended that went on when the page was opened. */
export const Ending = ({ isOpen, text }: EndingProps) => {
  const [wasOpen] = useState(isOpen);
  return <VisuallyHidden role="status">{wasOpen && !isOpen && text}</VisuallyHidden>;
};
