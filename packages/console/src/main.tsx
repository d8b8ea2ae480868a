import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/console.css';
import { ProblemError } from '@commonplace/client';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { cspNonce } from './app/csp-nonce.ts';
import { cssVariables } from './app/css-variables.ts';
import { theme } from './app/theme.ts';
import { queryClient, router } from './router.ts';

const nonce = cspNonce();
// The scroll lock of dialogs makes a `<style>` of its own and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** What the API refuses, the page says; anything else that broke a page is a bug of ours. */
const reportBug = (error: unknown): void => {
  if (!(error instanceof ProblemError)) {
    reportError(error);
  }
};

const root = document.querySelector('#root');
if (!root) {
  throw new Error('The page has no #root.');
}
createRoot(root, { onCaughtError: reportBug }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        {/* Inside of the router, so that what stands in a dialog can lead somewhere. */}
        <RouterProvider router={router} InnerWrap={ModalsProvider} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
