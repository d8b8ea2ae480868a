import type { ProblemCode } from '@commonplace/client';

/** Why one change of a request with many was not made. */
export class RefusedChange extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail: string) {
    super(detail);
    this.name = 'RefusedChange';
    this.code = code;
  }
}
