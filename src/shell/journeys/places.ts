/** Where the order goes to: by an area's name, and then to a door. */
export * as address from '../../screens/location/AddressScreen.tsx';
export * as location from '../../screens/location/LocationScreen.tsx';
