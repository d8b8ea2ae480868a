import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { colorSchemes } from './color-schemes.ts';

/** The button of the colour scheme menu, with the icon of the current one. */
export const ColorSchemeButton = (props: React.ComponentPropsWithRef<'button'>) => {
  const { colorScheme } = useMantineColorScheme();
  const { icon: Current } =
    colorSchemes.find(({ value }) => value === colorScheme) ?? colorSchemes[0];
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Colour scheme"
      aria-haspopup="menu"
      aria-expanded={false}
      {...(props as object)}
    >
      <Current size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
};
