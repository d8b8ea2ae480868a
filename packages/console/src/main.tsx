import '@fontsource-variable/inter/wght.css';
import './app/shell/mantine.css';
import '@mantine/notifications/styles.css';
import './app/shell/console.css';
import { ProblemError } from '@commonplace/client';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { unsavedWork } from './api/unsaved-work.ts';
import { bulkJob } from './app/bulk/bulk-job.ts';
import { keepFocusOfBusyControls } from './app/keep-focus-of-busy-controls.ts';
import { keepFocusNearRemoved } from './app/keep-focus-near-removed.ts';
import { cspNonce } from './app/csp-nonce.ts';
import { focusInvalidFields } from './app/focus-invalid-fields.ts';
import { ignoreSecondClicks } from './app/ignore-second-clicks.ts';
import { ignoreWhilePending } from './app/ignore-while-pending.ts';
import { colorSchemeManager } from './app/shell/color-scheme-manager.ts';
import { cssVariables } from './app/shell/css-variables.ts';
import { isNotLoaded } from './app/lazy-page.tsx';
import { loadStyles } from './app/shell/load-styles.ts';
import { theme } from './app/shell/theme.ts';
import { protectUnsavedWork } from './on-demand/earlier-version.ts';
import { loadFirstPage, queryClient, router } from './router.ts';

// The scroll lock of dialogs adds a `<style>` element and reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: cspNonce });

protectUnsavedWork(() => unsavedWork.exists() || bulkJob.isRunning());
ignoreSecondClicks();
ignoreWhilePending(queryClient.getMutationCache());
focusInvalidFields();
keepFocusOfBusyControls();
keepFocusNearRemoved();

loadFirstPage();

/** Reports errors of the console itself. The page displays those of the API. */
const reportBug = (error: unknown): void => {
  if (!(error instanceof ProblemError) && !isNotLoaded(error)) {
    reportError(error);
  }
};

const root = document.querySelector('#root');
if (!root) {
  throw new Error('The page has no #root.');
}
const app = (
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
);
const reactRoot = createRoot(root, { onCaughtError: reportBug });

/** The router follows Back and Forward once it is rendered; until then they would change the address alone. */
const followHistory = (): void => {
  const { history } = router;
  const stop = history.subscribe(() => {
    if (history.subscribers.size > 1) {
      stop();
    } else {
      void router.load();
    }
  });
};

/** A first page that takes longer is rendered as a skeleton. */
const firstPageMs = 1_000;

/**
 * Renders the first page at once where it can, as a transition: only that is rendered in pieces, between which the browser responds.
 * What a page renders when its data arrives later holds the browser for as long as the whole page takes.
 */
const renderFirstPage = async (): Promise<void> => {
  followHistory();
  const loading = router.load();
  const waiting = new Promise((resolve) => setTimeout(resolve, firstPageMs));
  await Promise.all([loadStyles(), Promise.race([loading, waiting])]);
  startTransition(() => reactRoot.render(app));
};
void renderFirstPage();
