import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isId } from '../../components/is-id.ts';
import { useCurrentCompanyId } from '../../api/use-company-id.ts';
import { newNotePath } from './new-note-path.ts';
import { isDialogOpen, sequenceMs, singleKeyOf } from './single-key-of.ts';

type Shortcuts = { readonly onSearch: () => void; readonly onHelp: () => void };

/** The sections of a company by the key after `g`. */
const sections: Readonly<Record<string, string>> = {
  d: '',
  a: '/agents',
  n: '/notes',
  p: '/proposals',
  r: '/runs',
  c: '/credentials',
  m: '/members',
  l: '/activity',
  s: '/settings',
};

/**
 * Ctrl+K (⌘K) and `/` open the search, `?` the list of shortcuts, `g` and a letter a section, `c` a new note; the letters only
 * outside fields and dialogs, by the character, which keyboards have on different keys.
 */
export const useShortcuts = ({ onSearch, onHelp }: Shortcuts): void => {
  const router = useRouter();
  const companyId = useCurrentCompanyId();
  useEffect(() => {
    let goesUntilMs = 0;
    const go = (path: string): boolean => {
      const openId = chosenCompanyOf(router) ?? companyId;
      if (openId === null) {
        return false;
      }
      void router.navigate({ href: `/companies/${openId}${path}` });
      return true;
    };
    const act = (key: string, isGoing: boolean): boolean => {
      if (isGoing) {
        const path = sections[key];
        return path !== undefined && go(path);
      }
      switch (key) {
        case '/':
          onSearch();
          return true;
        case '?':
          onHelp();
          return true;
        case 'c':
          return go(newNotePath(router.state.location));
        default:
          return false;
      }
    };
    const handle = (event: KeyboardEvent): void => {
      const key = singleKeyOf(event);
      const isGoing = event.timeStamp < goesUntilMs;
      goesUntilMs = key === 'g' && !isGoing ? event.timeStamp + sequenceMs : 0;
      if (isSearch(event)) {
        event.preventDefault();
        onSearch();
      } else if (key !== null && act(key, isGoing)) {
        event.preventDefault();
      }
    };
    window.addEventListener('keydown', handle);
    return () => window.removeEventListener('keydown', handle);
  }, [router, companyId, onSearch, onHelp]);
};

/** The company that is being opened: it is chosen, although the page of another one is there until it is loaded. */
const chosenCompanyOf = ({ latestLocation, state }: AnyRouter): string | null => {
  const isOpening = latestLocation.pathname !== state.resolvedLocation?.pathname;
  const [, section, id = ''] = latestLocation.pathname.split('/');
  return isOpening && section === 'companies' && isId(id) ? id : null;
};

const isSearch = ({ key, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' &&
  ctrlKey !== metaKey &&
  !altKey &&
  !defaultPrevented &&
  !isDialogOpen();
