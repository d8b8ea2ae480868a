import { useNavigate } from '@tanstack/react-router';
import { useIsAtOwnPage } from './use-is-at.ts';

/**
 * Returns what changes parameters of the address, and keeps the others. Undefined removes one. Back leads to the address before
 * only without `replace`. A page that is being left changes nothing: a text that was typed just before would be a filter of the
 * next page.
 */
export const useChangeSearch = ({ replace = true } = {}) => {
  const navigate = useNavigate();
  const isAtOwnPage = useIsAtOwnPage();
  return (next: object): void => {
    if (isAtOwnPage()) {
      void navigate({
        to: '.',
        search: (search: object): object => ({ ...search, ...next }),
        replace,
      });
    }
  };
};
