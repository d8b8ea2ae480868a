import { NavLink } from '@mantine/core';
import type { NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

type Native = Omit<React.ComponentPropsWithRef<'a'>, 'style' | 'color'>;

/** A link of the router in the navigation; the current one has `aria-current`. */
export const NavItem = createLink(({ ref, ...props }: NavLinkProps & Native) => (
  <NavLink component="a" ref={ref} {...props} className="nav-item" />
));
