import { useState } from 'react';
import { useCan, type Permissions } from './use-can.ts';

/**
 * Whether the operator has a permission, or had it since this part of the page is there: who loses it meanwhile keeps what they
 * have written. The server refuses to save it.
 */
export const useWasAllowed = (permission: Exclude<keyof Permissions, 'role'>): boolean => {
  const can = useCan();
  const [wasAllowed, setWasAllowed] = useState(can[permission]);
  if (can[permission] && !wasAllowed) {
    setWasAllowed(true);
  }
  return wasAllowed;
};
