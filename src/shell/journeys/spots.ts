/** Other ways to say where: a pin on the map, a list of cities, and the addresses that were kept. */
export * as addresses from '../../screens/location/AddressesScreen.tsx';
export * as manual from '../../screens/location/ManualScreen.tsx';
export * as map from '../../screens/location/MapScreen.tsx';
