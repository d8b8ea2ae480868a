import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

/** What the colour scheme menu offers. */
export const colorSchemes = [
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
] as const;
