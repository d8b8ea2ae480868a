import { useNavigate } from '@tanstack/react-router';

/** Returns what changes parameters of the address, and keeps the others. Undefined removes one. */
export const useChangeSearch = () => {
  const navigate = useNavigate();
  return (next: object): void => {
    void navigate({
      to: '.',
      search: (search: object): object => ({ ...search, ...next }),
      replace: true,
    });
  };
};
