/** Who the customer is, and what this device knows of them. */
export * as account from '../../screens/account/AccountScreen.tsx';
export * as consents from '../../screens/account/ConsentsScreen.tsx';
export * as data from '../../screens/account/DataScreen.tsx';
export * as deleteAccount from '../../screens/account/DeleteAccountScreen.tsx';
export * as profile from '../../screens/account/ProfileScreen.tsx';
export * as documents from '../../screens/documents/DocumentScreen.tsx';
export * as experiments from '../../screens/account/ExperimentsScreen.tsx';
export * as login from '../../screens/login/LoginScreen.tsx';
export * as memory from '../../screens/memory/MemoryScreen.tsx';
export * as otp from '../../screens/login/OtpScreen.tsx';
