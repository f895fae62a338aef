/** Where the order is collected or eaten. */
export * as stores from '../../screens/stores/StoresScreen.tsx';
