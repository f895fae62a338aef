import { Component, type ReactElement } from 'react';
import { nowShown } from './phases.ts';
import { ErrorScreen } from '../../ui/page/ErrorScreen.tsx';
import * as t from '#text/first.ts';

/**
 * The top-level error screen (specification section 2). What the customer has chosen is stored and survives the reload.
 * A part without a `place` is left out when it breaks, and the page goes on without it.
 */
export class ScreenGuard extends Component<
  { children: ReactElement; place?: string },
  { broken: boolean; place: string | undefined }
> {
  override state = { broken: false, place: this.props.place };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  static getDerivedStateFromProps(props: { place?: string }, state: { broken: boolean; place: string | undefined }) {
    return props.place === state.place ? null : { broken: false, place: props.place };
  }
  override componentDidCatch(thrown: unknown) {
    nowShown();
    globalThis.reportError?.(thrown);
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return this.props.place && <ErrorScreen small={t.routerError} onRefresh={() => location.reload()} />;
  }
}
