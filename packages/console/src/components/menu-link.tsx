import { Menu } from '@mantine/core';
import type { MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

type Native = Omit<React.ComponentPropsWithRef<'a'>, 'style' | 'color'>;

/** A link of the router in a menu. Apart from the other links, because pages without menus need those. */
export const MenuLink = createLink(({ ref, ...props }: MenuItemProps & Native) => (
  <Menu.Item component="a" ref={ref} {...props} />
));
