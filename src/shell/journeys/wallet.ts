/** The money that a customer holds with us. */
export * as wallet from '../../screens/wallet/WalletScreen.tsx';
