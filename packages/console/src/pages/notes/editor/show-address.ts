/**
 * Shows another address for the page as it is. The router is not informed, because it would put another page in its place;
 * it finds the address on the way back, and so does a reload.
 */
export const showAddress = (href: string): void =>
  // Not that of `history`, which the router has replaced to learn of every address.
  History.prototype.replaceState.call(window.history, window.history.state, '', href);
