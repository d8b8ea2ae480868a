import { Component } from 'react';

type FallibleProps = {
  /** Stands in for what cannot be drawn. */
  readonly fallback: React.ReactNode;
  readonly children: React.ReactNode;
};

/** Keeps a part of a page that fails from taking the rest with it. Give it a key of what it draws. */
export class Fallible extends Component<FallibleProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): React.ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
