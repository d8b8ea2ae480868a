import { Component } from 'react';

type ErrorBoundaryProps = {
  /** A new value renders the children again after a failure. */
  readonly resetKey: unknown;
  /** Rendered if the children fail. */
  readonly fallback: React.ReactNode;
  readonly children: React.ReactNode;
};

/** Contains a rendering error, so that the rest of the page remains usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.hasFailed && before.resetKey !== this.props.resetKey) {
      this.setState({ hasFailed: false });
    }
  }

  override render(): React.ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
