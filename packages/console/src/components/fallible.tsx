import { Component } from 'react';

type FallibleProps = {
  /** What is drawn: another one is tried again. */
  readonly of: unknown;
  /** Stands in for what cannot be drawn. */
  readonly fallback: React.ReactNode;
  readonly children: React.ReactNode;
};

/** Keeps a part of a page that fails from taking the rest with it. */
export class Fallible extends Component<FallibleProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate(before: FallibleProps): void {
    if (this.state.hasFailed && before.of !== this.props.of) {
      this.setState({ hasFailed: false });
    }
  }

  override render(): React.ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
