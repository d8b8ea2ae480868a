import { createContext } from 'react';

/** Whether the text is one that nobody accepted: images of other servers are not loaded from it, whatever this browser shows. */
export const UnacceptedText = createContext(false);
