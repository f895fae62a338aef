/** What only a standalone page has: ways to pay outside a host, and a login of its own. */
export * as appForm from '../../screens/external/AppFormScreen.tsx';
export * as assistant from '../../screens/assistants/AssistantScreen.tsx';
export * as devices from '../../screens/account/DevicesScreen.tsx';
export * as number from '../../screens/account/NumberScreen.tsx';
export * as password from '../../screens/password/PasswordScreen.tsx';
export * as payLink from '../../screens/payment/link/PayLinkScreen.tsx';
export * as upiForm from '../../screens/external/UpiFormScreen.tsx';
