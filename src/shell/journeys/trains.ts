/** Food on trains: from the PNR to the seat. */
export * as landing from '../../screens/trains/TrainLandingScreen.tsx';
export * as orders from '../../screens/trains/TrainOrdersScreen.tsx';
export * as pnr from '../../screens/trains/PnrScreen.tsx';
export * as question from '../../screens/trains/QuestionScreen.tsx';
export * as station from '../../screens/trains/StationScreen.tsx';
