import { createTheme } from '@mantine/core';
import type {
  BadgeProps,
  MantineColorsTuple,
  ModalProps,
  NotificationProps,
  PasswordInputProps,
} from '@mantine/core';

/** The primary colour, a dark green. White text is readable from shade 7 on. */
const lamp: MantineColorsTuple = [
  '#ecf7f4',
  '#d9ece7',
  '#b0d9ce',
  '#84c5b4',
  '#60b49e',
  '#49aa90',
  '#2f8f77',
  '#1d6b5c',
  '#175a4d',
  '#0c483d',
];

/** Inter comes with the console. Until it is there, and for scripts that it does not have, the fonts of the system stand in. */
const fonts =
  '"Inter Variable", "Inter stand-in", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

/** The Mantine theme. Nothing is loaded from other origins. */
export const theme = createTheme({
  primaryColor: 'lamp',
  primaryShade: { light: 7, dark: 7 },
  colors: { lamp },
  defaultRadius: 'md',
  fontFamily: fonts,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  // Only the types of the components: their code is loaded with the pages that use them.
  components: {
    Badge: defaults<BadgeProps>({ tt: 'none', fw: 600 }),
    Modal: defaults<ModalProps>({
      closeButtonProps: { 'aria-label': 'Close' },
      // Mantine describes a dialog by its whole body: each label and hint of a form would be said as it opens. Its header would be a banner.
      attributes: { body: { id: undefined }, header: { role: 'none' } },
    }),
    // A long passphrase is what one wants to see, also without a mouse.
    PasswordInput: defaults<PasswordInputProps>({ visibilityToggleFocusable: true }),
    Notification: defaults<NotificationProps>({ closeButtonProps: { 'aria-label': 'Dismiss' } }),
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
});
