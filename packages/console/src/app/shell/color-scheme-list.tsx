import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { ColorSchemeButton } from './color-scheme-button.tsx';
import { colorSchemes } from './color-schemes.ts';
import { useTakeOver, type TakeOver } from '../../on-demand/use-take-over.ts';

/** The colour scheme menu and what it opens. */
export const ColorSchemeList = ({ takeOver }: { readonly takeOver: TakeOver }) => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={180} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ColorSchemeButton ref={useTakeOver<HTMLButtonElement>(takeOver)} />
      </Menu.Target>
      <Menu.Dropdown>
        {colorSchemes.map(({ value, label, icon: SchemeIcon }) => (
          <Menu.Item
            key={value}
            leftSection={<SchemeIcon size={16} aria-hidden />}
            rightSection={
              value === colorScheme ? <IconCheck size={14} aria-label="selected" /> : null
            }
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
