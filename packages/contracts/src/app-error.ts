import { errorCodes, type ErrorCode } from './error-codes.ts';

/** An entry of a problem's `errors`: a JSON pointer and the error there. */
export type FieldError = { path: string; message: string };

export type AppErrorOptions = {
  /** The underlying error; logged, never sent. */
  cause?: unknown;
  /** Every invalid field, for `validation_failed`. */
  errors?: readonly FieldError[];
  /** Extension members of the problem, for example `current` of a 412 (RFC 9457 section 3.2). */
  extensions?: Readonly<Record<string, unknown>>;
  /** Extra response headers, for example `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
};

/**
 * An error with a code of the table and a message for the caller. Any other error becomes 500
 * `unexpected_failure`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail?: string, options: AppErrorOptions = {}) {
    super(detail ?? errorCodes[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.errors = options.errors;
    this.extensions = options.extensions ?? {};
    this.headers = options.headers ?? {};
  }
}

/** Recognizes an AppError across module realms, where `instanceof` fails (Jest runs files in VMs). */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === 'AppError' && 'code' in error && 'extensions' in error;
