/** Choosing more than a dish of the list: a search, a dish or a combo as one likes it. */
export * as combo from '../../screens/customise/ComboScreen.tsx';
export * as customise from '../../screens/customise/CustomiseScreen.tsx';
export * as search from '../../screens/search/SearchScreen.tsx';
