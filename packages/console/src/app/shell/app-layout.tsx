import { Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { Logo } from '../../components/logo.tsx';
import { TextLink } from '../../components/links.tsx';
import { BulkStatus } from '../bulk/bulk-status.tsx';
import { lazyPart } from '../../on-demand/lazy-part.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CompanySwitcher } from './company-switcher.tsx';
import { Navigation } from './navigation.tsx';
import { ColorSchemeMenu } from './color-scheme-menu.tsx';
import { Dialogs } from './dialogs.tsx';
import { OutOfDate } from './out-of-date.tsx';
import { QuickSearch } from '../palette/quick-search.tsx';
import { useSessionWatch } from '../session/use-session-watch.ts';

/** Most instances have none. */
const LocalModeBadge = lazyPart(
  async () => (await import('./local-mode-badge.tsx')).LocalModeBadge,
);

const focusMain = () => {
  // A page that begins with a field has focused it.
  if (!document.activeElement?.matches('[data-takes-focus]')) {
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  }
};

/** The layout of every page of a signed-in operator. */
export const AppLayout = () => {
  const [isOpen, menu] = useDisclosure(false);
  useFocusOnNavigation(menu.close);
  const isSameOperator = useSessionWatch();
  if (!isSameOperator) {
    return null;
  }
  return (
    <>
      <SkipLink />
      <SkipToRowsLink />
      {/* The class is that of the library that locks scrolling: an open dialog must not move the header. */}
      <header className="app-header panel right-scroll-bar-position">
        <Group h="100%" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
            aria-expanded={isOpen}
          />
          <TextLink to="/" aria-label="Commonplace, home" lh={0} className="home">
            <Logo />
          </TextLink>
          <CompanySwitcher />
          <HeaderTools />
        </Group>
      </header>
      <nav className="app-navigation panel" aria-label="Main" data-open={isOpen || undefined}>
        {/* On a phone the header has space for the name of the company instead. */}
        <Suspense>
          <LocalModeBadge hiddenFrom="sm" />
        </Suspense>
        <Navigation />
      </nav>
      <main id="main" tabIndex={-1}>
        {/* Again, for those who come from another page: they begin here. */}
        <SkipToRowsLink />
        <Outlet />
      </main>
      <BulkStatus />
      <OutOfDate />
      <Dialogs />
    </>
  );
};

const HeaderTools = () => (
  <Group gap="xs" ml="auto" wrap="nowrap">
    <Suspense>
      <LocalModeBadge visibleFrom="sm" />
    </Suspense>
    <QuickSearch />
    <ColorSchemeMenu />
    <AccountMenu />
  </Group>
);

const SkipLink = () => (
  <a
    className="mantine-focus-auto skip-link"
    href="#main"
    onClick={(event) => {
      event.preventDefault();
      focusMain();
    }}
  >
    Skip to content
  </a>
);

/** Leads past filters and folders to the first row of a list; where a page has no rows, it is hidden. */
const SkipToRowsLink = () => (
  <a
    className="mantine-focus-auto skip-link skip-to-rows"
    href="#main"
    onClick={(event) => {
      event.preventDefault();
      document.querySelector<HTMLElement>(`#main ${firstOfRow}`)?.focus();
    }}
  >
    Skip to the first row
  </a>
);

/** What has the focus in a row: its link or, in a row without one, its first button. */
const firstOfRow = ':is(.table-scroll tbody, [data-row-note], [data-proposal]) :is(a, button)';

/**
 * Moves the focus to a new page, as a new document would. Changes within a page keep it, and so does what was opened while the
 * page was loaded: what is typed there goes on there.
 */
const useFocusOnNavigation = (onNavigated: () => void): void => {
  const router = useRouter();
  useEffect(() => {
    let openBefore: Element | null = null;
    const stops = [
      router.subscribe('onBeforeNavigate', () => {
        openBefore = openWithFocus();
      }),
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) {
          onNavigated();
          const open = openWithFocus();
          if (open === null || open === openBefore) {
            focusMain();
          }
        }
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [router, onNavigated]);
};

/** The dialog, menu or list to choose from that has the focus. */
const openWithFocus = (): Element | null =>
  document.activeElement?.closest('[role="dialog"], [role="menu"], [role="combobox"]') ?? null;
