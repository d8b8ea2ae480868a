import { Text, type TextProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/** By then screen readers know the element. */
const knownMs = 50;

type SaidProps = TextProps & { readonly children: React.ReactNode };

/**
 * A text that screen readers say as it appears, and when it changes. They say only what changes in an element that was there
 * before, so it is empty at first.
 */
export const Said = ({ children, ...props }: SaidProps) => {
  const [isKnown, setKnown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setKnown(true), knownMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Text size="sm" component="div" role="status" {...props}>
      {isKnown ? children : '\u00A0'}
    </Text>
  );
};
