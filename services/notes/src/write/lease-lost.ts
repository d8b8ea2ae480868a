/**
 * The job for which a request writes was cancelled, or another worker has taken it over: nothing of the request is
 * written.
 */
export class LeaseLostError extends Error {
  constructor() {
    super('The job has ended, or another worker has it');
    this.name = 'LeaseLostError';
  }
}
