import type { CSSVariablesResolver } from '@mantine/core';

const reds = {
  '--mantine-color-red-filled': '#b42318',
  '--mantine-color-red-filled-hover': '#97180f',
};

/**
 * An off-white background, and text with a contrast of at least 4.5 : 1: Mantine's own reds, and its text
 * on light badges and alerts, stay below that. Borders of fields have at least 3 : 1.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...reds,
    '--mantine-color-body': '#fbfaf7',
    '--mantine-color-dimmed': '#5f666d',
    '--mantine-color-placeholder': '#5f666d',
    '--mantine-color-error': '#b42318',
    '--mantine-color-red-outline': '#b42318',
    '--mantine-color-red-light-color': '#a51d1d',
    '--mantine-color-teal-light-color': '#075c43',
    '--mantine-color-yellow-light-color': '#7a4100',
    '--mantine-color-gray-light-color': '#343a40',
    '--mantine-color-blue-light-color': '#114e8c',
    '--mantine-color-orange-light-color': '#8f3203',
    '--console-panel': '#ffffff',
    '--console-field-border': '#868e96',
    '--console-focus': 'var(--mantine-color-lamp-7)',
    '--console-added': '#dff5e5',
    '--console-removed': '#fce4e4',
    '--console-chart-main': 'var(--mantine-color-lamp-7)',
    '--console-chart-succeeded': 'var(--mantine-color-lamp-7)',
    '--console-chart-failed': '#b42318',
    '--console-chart-cancelled': '#7a828a',
    '--console-chart-expired': '#c2570c',
    '--console-chart-limit': '#7a4100',
  },
  dark: {
    ...reds,
    '--mantine-color-dimmed': '#a3a9b0',
    '--mantine-color-placeholder': '#a3a9b0',
    // Lighter than the panels, so that disabled controls remain visible on them.
    '--mantine-color-disabled': 'var(--mantine-color-dark-5)',
    '--console-panel': 'var(--mantine-color-dark-6)',
    '--console-field-border': '#868686',
    '--console-focus': 'var(--mantine-color-lamp-4)',
    '--console-added': '#10321d',
    '--console-removed': '#3b1618',
    '--console-chart-main': 'var(--mantine-color-lamp-5)',
    '--console-chart-succeeded': 'var(--mantine-color-lamp-5)',
    '--console-chart-failed': '#ff8787',
    '--console-chart-cancelled': '#a3a9b0',
    '--console-chart-expired': '#ffa94d',
    '--console-chart-limit': '#ffd43b',
  },
});
