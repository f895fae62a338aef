/** The one documented entry of Paytm's bridge; it appears on its own, with `JSBridgeReady` on the document. */
export interface JsBridge {
  call(name: string, args?: unknown, callback?: (reply: unknown) => void): void;
}

declare global {
  interface Window {
    JSBridge?: JsBridge;
  }
}
