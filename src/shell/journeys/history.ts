/** The orders of a customer, and each in full. */
export * as details from '../../screens/history/DetailsScreen.tsx';
export * as history from '../../screens/history/HistoryScreen.tsx';
