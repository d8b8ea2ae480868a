import {
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorSchemeManager,
} from '@mantine/core';

const yearSeconds = 31_536_000;

/** The gateway reads the cookie, so that the page has these colours before any script. */
const writeCookie = (scheme: MantineColorScheme): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const maxAgeSeconds = scheme === 'auto' ? 0 : yearSeconds;
  document.cookie = `commonplace_color_scheme=${scheme}; Path=/; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
};

const stored = localStorageColorSchemeManager();

/** Keeps the colour scheme that was chosen in this browser. */
export const colorSchemeManager: MantineColorSchemeManager = {
  ...stored,
  get: (byDefault) => {
    const scheme = stored.get(byDefault);
    // Again: it lasts a year, and who chose earlier has none.
    writeCookie(scheme);
    return scheme;
  },
  set: (scheme) => {
    stored.set(scheme);
    writeCookie(scheme);
  },
};
