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

type NameProps = {
  readonly name: string;
  /** Displayed in place of the name alone. */
  readonly children?: React.ReactNode;
};

/** A link by the name of an agent, a key or an app: one line, as `Name` is. */
export const NameLink = createLink(
  ({
    ref,
    name,
    children,
    ...props
  }: Omit<AnchorProps, 'className'> & Omit<Native, 'className'> & NameProps) => (
    <Anchor ref={ref} {...props} className="text-link one-line name" title={name}>
      {children ?? name}
    </Anchor>
  ),
);
