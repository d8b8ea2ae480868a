/** Requests name more stored text than one transaction may read: each has to be written in one of its own. */
export class StoredTooMuchError extends Error {
  constructor() {
    super('These requests name too much stored text for one transaction');
    this.name = 'StoredTooMuchError';
  }
}
