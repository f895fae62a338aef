/** Where the order goes to, or where it is collected. */
export * as address from '../../screens/location/AddressScreen.tsx';
export * as addresses from '../../screens/location/AddressesScreen.tsx';
export * as location from '../../screens/location/LocationScreen.tsx';
export * as manual from '../../screens/location/ManualScreen.tsx';
export * as map from '../../screens/location/MapScreen.tsx';
export * as stores from '../../screens/location/StoresScreen.tsx';
