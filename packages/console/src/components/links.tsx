import { Anchor, Button } from '@mantine/core';
import type { AnchorProps, ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

type Native = Omit<React.ComponentPropsWithRef<'a'>, 'style' | 'color'>;

/** A link of the router that looks like a button. */
export const ButtonLink = createLink(({ ref, ...props }: ButtonProps & Native) => (
  <Button component="a" ref={ref} {...props} />
));

/** A link of the router within text, or on its own: then it is a large enough touch target. */
export const TextLink = createLink(({ ref, className, ...props }: AnchorProps & Native) => (
  <Anchor ref={ref} {...props} className={`text-link ${className ?? ''}`} />
));
