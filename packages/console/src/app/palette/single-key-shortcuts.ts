const key = 'single-key-shortcuts';

/**
 * Whether keys without Ctrl are shortcuts. They can be switched off (WCAG 2.1.4), because speech input types letters that nobody
 * meant as a command. The browser stores the choice.
 */
export const singleKeyShortcuts = {
  areOn: (): boolean => localStorage.getItem(key) !== 'off',
  set: (areOn: boolean): void => {
    localStorage.setItem(key, areOn ? 'on' : 'off');
  },
};
